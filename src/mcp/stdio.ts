import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { refusedListening } from './no-listening.ts'
import { createMcpServer } from './server.ts'
import type { CallMethod } from './tool.ts'

interface Pipes {
  readonly session: string
  readonly input: Readable
  readonly output: Writable
  /** Called for input that is no message. */
  complain(problem: string): void
}

const NO_MESSAGE = 'passed over something on stdin that is no message of JSON-RPC'

/** Serves one client; ends when the client closes its input. */
export async function serveOverStdio(call: CallMethod, { session, input, output, complain }: Pipes) {
  const transport = new StdioServerTransport(input, output)
  const connection = serveStdio(() => createMcpServer({ call, session }), {
    transport,
    onerror: (error) => complain('issues' in error ? NO_MESSAGE : error.message),
  })
  const { onmessage } = transport
  transport.onmessage = (message) => {
    const refusal = refusedListening(message)
    if (refusal === undefined) onmessage?.(message)
    else transport.send(refusal as never).catch((error: Error) => complain(error.message))
  }
  await new Promise<void>((resolve) => {
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
    // A client that no longer reads answers has gone, too.
    output.once('error', () => resolve())
  })
  await connection.close()
}
