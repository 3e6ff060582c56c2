import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { plainJson } from '../domain/names/quoted.ts'
import { VERSION } from '../version.ts'
import { forAgents } from './agent-methods.ts'
import { failureText } from './failure.ts'
import { INSTRUCTIONS } from './instructions.ts'
import type { CallMethod } from './port.ts'
import { PROMPTS } from './prompts.ts'
import { RESOURCES } from './resources.ts'
import type { Tool, Turn } from './tool.ts'
import { TOOLS } from './tools.ts'

export interface McpServerDeps {
  readonly call: CallMethod
  /** What the client is known by to other sessions of its repository; undefined where it cannot be told from them. */
  readonly session?: string | undefined
  /** How often a client that wants to know is told that a call is still at work. */
  readonly progressMillis?: number
}

const PROGRESS_MILLIS = 10_000
/** What is listed changes with the version of the daemon only. */
const LASTING = { ttlMs: 3_600_000 }

/** What the client takes from the inbox, it takes by its name, unless it gives another. */
const ofSession =
  (call: CallMethod, session: string): CallMethod =>
  (method, params, options) =>
    call(method, method === 'cacp/inbox/take' ? { session, ...params } : params, options)

/** One server for one connection, or for one request where there are none: all state is behind `call`. */
export function createMcpServer({
  call,
  session,
  progressMillis = PROGRESS_MILLIS,
}: McpServerDeps): McpServer {
  const server = new McpServer(
    { name: 'cacpd', title: 'cacpd', version: VERSION },
    {
      instructions: INSTRUCTIONS,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      cacheHints: { 'tools/list': LASTING, 'prompts/list': LASTING, 'server/discover': LASTING },
    },
  )
  const guarded = forAgents(session === undefined ? call : ofSession(call, session))
  const turnOf = ({ mcpReq }: ServerContext): Turn => ({ call: guarded, signal: mcpReq.signal })

  for (const tool of TOOLS) {
    const { name, title, description, hints } = tool
    server.registerTool(
      name,
      {
        title,
        description,
        annotations: { ...hints },
        inputSchema: INPUT_SCHEMAS.get(tool) as StandardSchemaWithJSON,
      },
      async (given: unknown, context: ServerContext) => {
        const stopTelling = tellProgress(context, progressMillis)
        try {
          return answer(await tool.run(given, turnOf(context)))
        } catch (error) {
          return { ...answer(failureText(error)), isError: true }
        } finally {
          stopTelling()
        }
      },
    )
  }
  for (const kind of RESOURCES) {
    const { name, title, description, template } = kind
    server.registerResource(
      name,
      new ResourceTemplate(template, {
        list: async (context) => ({ resources: [...(await told(kind.list(turnOf(context))))] }),
      }),
      { title, description, mimeType: 'application/json' },
      async (uri, ids, context) => {
        const found = await told(kind.read(ids, turnOf(context)))
        return { contents: [{ uri: uri.href, mimeType: 'application/json', text: plainJson(found) }] }
      },
    )
  }
  for (const { name, title, description, input, write } of PROMPTS)
    server.registerPrompt(
      name,
      { title, description, argsSchema: input },
      async (given, context: ServerContext) => {
        const text = await told(write(given as Record<string, string>, turnOf(context)))
        return { messages: [{ role: 'user', content: { type: 'text', text } }] }
      },
    )
  return server
}

const answer = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

/** Resources and prompts have no results that are errors. */
async function told<Result>(outcome: Promise<Result>): Promise<Result> {
  try {
    return await outcome
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, failureText(error))
  }
}

/**
 * What a tool takes, for clients to read. It is not checked by the library, because what is wrong is told in our own
 * words, with an example.
 */
function listedSchema({ input }: Tool): StandardSchemaWithJSON {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    // That a whole number has to be one says its type.
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  const shown = () => schema
  return {
    '~standard': {
      version: 1,
      vendor: 'cacpd',
      validate: (value) => ({ value }),
      jsonSchema: { input: shown, output: shown },
    },
  }
}

const INPUT_SCHEMAS: ReadonlyMap<Tool, StandardSchemaWithJSON> = new Map(
  TOOLS.map((tool) => [tool, listedSchema(tool)]),
)

/** Clients that wait for long give up unless they hear that something goes on. */
function tellProgress({ mcpReq }: ServerContext, everyMillis: number): () => void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => {}
  const begun = performance.now()
  const tell = () => {
    const progress = Math.round(performance.now() - begun) / 1000
    const params = { progressToken, progress, message: `still at it after ${Math.round(progress)} s` }
    // Whoever has gone meanwhile need not be told.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
  const telling = setInterval(tell, everyMillis)
  return () => clearInterval(telling)
}
