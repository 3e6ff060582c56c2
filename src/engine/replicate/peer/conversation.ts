import { Fault } from '../../../protocol/fault.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json/json.ts'
import type { PeerClient } from '../../ports/ports.ts'

/** What a peer said to one call of a batch. */
export type Outcome =
  | { readonly result: JsonObject; readonly error?: undefined }
  | { readonly error: CallRefusal; readonly result?: undefined }

export interface CallRefusal {
  readonly message: string
  readonly kind: string
}

export interface ConversationDeps {
  client: PeerClient
  endpoint: string
  /** Whose endpoint that is. */
  agentId: string
  millis: number
}

export type Conversation = ReturnType<typeof createConversation>

/** JSON-RPC with one peer. Whatever it answers is looked at as a stranger's text. */
export function createConversation({ client, endpoint, agentId, millis }: ConversationDeps) {
  let isEnded = false

  return {
    batch,

    /** Nothing is sent any more. */
    end(): void {
      isEnded = true
    },

    /** One call; throws when it is refused. */
    async call(method: string, params: object): Promise<JsonObject> {
      const [outcome] = await batch([callText(method, JSON.stringify(params))])
      if (outcome?.result !== undefined) return outcome.result
      throw new Fault('unavailable', `${method} was refused: ${outcome?.error.message ?? 'no answer'}`)
    },

    /** The document's registration, which is no JSON-RPC. */
    async register(body: object): Promise<void> {
      await client.post(`${endpoint}/peers/register`, JSON.stringify(body), millis, agentId)
    },
  }

  /** Calls in one request, and what became of each, in the same order. */
  async function batch(calls: readonly string[]): Promise<Outcome[]> {
    if (isEnded) throw new Fault('unavailable', 'The exchange with this peer has ended')
    const body = `[${calls.map((call, id) => `{"jsonrpc":"2.0","id":${id},${call}}`).join(',')}]`
    const answers = parse(await client.post(`${endpoint}/`, body, millis, agentId))
    if (!Array.isArray(answers))
      throw new Fault('unavailable', `The peer refused a batch: ${messageOf(answers)}`)
    const byId = new Map(answers.filter(isJsonObject).map((answer) => [answer['id'], answer]))
    return calls.map((_, id) => outcomeOf(byId.get(id)))
  }
}

/** What a peer said to a call that was sent alone, as peers that know no batches need it. */
export function outcomeIn(text: string): Outcome {
  const answer = parse(text)
  return outcomeOf(isJsonObject(answer) ? answer : undefined)
}

/** `params` is JSON text already, so that what many peers get is written only once. */
export function callText(method: string, params: string): string {
  return `"method":${JSON.stringify(method)},"params":${params}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('unavailable', 'The peer did not answer in JSON')
  }
}

function outcomeOf(answer: JsonObject | undefined): Outcome {
  const result = answer?.['result']
  if (isJsonObject(result)) return { result }
  return { error: { message: messageOf(answer), kind: kindOf(answer) } }
}

const errorIn = (answer: unknown): JsonObject => {
  const error = isJsonObject(answer) ? answer['error'] : undefined
  return isJsonObject(error) ? error : {}
}

function messageOf(answer: unknown): string {
  const { message } = errorIn(answer)
  return typeof message === 'string' ? message.slice(0, 300) : 'it gave no reason'
}

function kindOf(answer: unknown): string {
  const { data } = errorIn(answer)
  return isJsonObject(data) && typeof data['kind'] === 'string' ? data['kind'] : 'unavailable'
}

/** Why a peer did not take what was handed over: by an error, or by a result that says so. Undefined: it took it. */
export function refusalIn(outcome: Outcome | undefined): CallRefusal | undefined {
  if (outcome?.error !== undefined) return outcome.error
  const { status, kind, reason }: JsonObject = outcome?.result ?? { status: 'error' }
  if (status !== 'error') return undefined
  return {
    kind: typeof kind === 'string' ? kind : 'unavailable',
    message: typeof reason === 'string' ? reason.slice(0, 300) : 'it gave no reason',
  }
}
