import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Message } from '../dialects/chiffon-client.ts'

export interface FakeAgent extends AsyncDisposable {
  readonly url: string
  readonly registration: { agentId: string; endpoint: string; repoName: string }
  /** Every message so far, and when it came. */
  readonly messages: { readonly at: number; readonly message: Message }[]
  /** From now on nobody listens there. */
  leave(): Promise<void>
}

export interface Visit {
  readonly message: Message
  /** 0 for the first message. */
  readonly visit: number
  readonly response: ServerResponse
  /** A message back, about the same work. */
  answer(type: string, payload: object): Message
  json(status: number, message: unknown): void
  /** Opens the stream on first use. */
  stream(message: unknown): void
}

export interface FakeAgentOptions {
  readonly serve: (visit: Visit) => void
  /** What its card says of the protocol; undefined leaves it out. */
  readonly chiffon?: object | undefined
  readonly isHealthy?: () => boolean
}

/** An agent that is no cacpd and does with its messages what the test wants. */
export async function fakeAgent({
  serve,
  chiffon,
  isHealthy = () => true,
}: FakeAgentOptions): Promise<FakeAgent> {
  const messages: { at: number; message: Message }[] = []
  const agentId = 'aid://example.com/worker@1.0.0'
  const card = {
    protocols: { cacp: '2.0' },
    extensions: { cacp: { agentId, repo: 'worker' }, ...(chiffon === undefined ? {} : { chiffon }) },
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (request.url === '/.well-known/agent.json') return json(200, card)
    if (request.url === '/health') return isHealthy() ? json(200, { status: 'healthy' }) : json(503, {})
    if (request.url !== '/api/agent/message') return json(404, {})
    const message = JSON.parse(await text(request)) as Message
    messages.push({ at: Date.now(), message })
    serve({
      message,
      visit: messages.length - 1,
      response,
      json,
      answer: (type, payload) => ({
        ...message,
        message_id: randomUUID(),
        from_agent: message.to_agent,
        to_agent: message.from_agent,
        timestamp: new Date().toISOString(),
        type,
        payload,
      }),
      stream: (sent) => {
        if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`data: ${JSON.stringify(sent)}\n\n`)
      },
    })
  }

  const leave = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    registration: { agentId, endpoint: url, repoName: 'worker' },
    messages,
    leave,
    [Symbol.asyncDispose]: leave,
  }
}

export const status = (task: string, progress: number, step: object = {}) => ({
  task_id: task,
  status: 'running',
  progress_percent: progress,
  step: { number: 1, name: 'build', output: '', ...step },
})

export const success = (task: string, output: string, more: object = {}) => ({
  task_id: task,
  status: 'success',
  exit_code: 0,
  output,
  resources_used: { duration_seconds: 1, gpu_vram_mb: 0, cpu_time_ms: 5 },
  ...more,
})

export const refusal = (code: number, context: object = {}) => ({
  error_code: code,
  error_message: `refused with ${code}`,
  error_context: context,
})
