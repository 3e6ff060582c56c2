import type { A2aVersion } from '../../../src/dialects/a2a/versions.ts'
import type { Reply, TestDaemon } from '../daemons/daemon.ts'
import { readStream } from './adapter.ts'

export const EXTENSION = 'urn:cacp:2.0'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Any = any

export interface A2aCaller {
  post(method: string, params?: unknown, id?: unknown): Promise<Reply>
  /** The result; what is refused is thrown with code and data. */
  call(method: string, params?: unknown): Promise<Any>
  /** The code, message and data of what must be refused. */
  refused(method: string, params?: unknown): Promise<Any>
  /** All results of a stream; `hear` gets each as it comes. */
  stream(
    method: string,
    params: unknown,
    options?: { hear?: (result: Any) => void; signal?: AbortSignal },
  ): Promise<Any[]>
}

/** Calls a daemon as a client of this version does. */
export function a2aCaller(
  daemon: TestDaemon,
  version: A2aVersion,
  headers: Record<string, string> = {},
): A2aCaller {
  const spoken = { ...(version === '0.3' ? {} : { 'a2a-version': version }), ...headers }
  const envelope = (method: string, params: unknown, id: unknown = 1) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  })
  const post: A2aCaller['post'] = (method, params, id) => daemon.post(envelope(method, params, id), spoken)

  return {
    post,
    async call(method, params) {
      const { json } = await post(method, params)
      if (json.error !== undefined) throw Object.assign(new Error(json.error.message), json.error)
      return json.result
    },
    async refused(method, params) {
      const json = answerOf(await post(method, params))
      if (json.error === undefined) throw new Error(`${method} was not refused`)
      return json.error
    },
    async stream(method, params, { hear, signal } = {}) {
      const results: Any[] = []
      await readStream(
        daemon,
        { path: '/', body: envelope(method, params), headers: spoken },
        ({ data }) => {
          const { result, error } = JSON.parse(data)
          results.push(error === undefined ? result : { error })
          hear?.(results.at(-1))
        },
        signal,
      )
      return results
    },
  }
}

/** One answer, or the only piece of a stream that was refused. */
export const answerOf = ({ json, text }: Reply): Any => json ?? JSON.parse(text.replace(/^data: /, ''))

let messages = 0

/** A message of version 1.0, with an id of its own. */
export const message = (text: string, part: object = {}) => ({
  messageId: `message-${++messages}`,
  role: 'ROLE_USER',
  parts: [{ text }],
  ...part,
})

export const legacyMessage = (text: string, part: object = {}) => ({
  kind: 'message',
  messageId: `message-${++messages}`,
  role: 'user',
  parts: [{ kind: 'text', text }],
  ...part,
})

/** Asks for an echo; slow, when there is a delay. */
export const echoing = (parameters: object = {}) => ({
  metadata: { [EXTENSION]: { workType: 'echo', parameters } },
})

/** The text of all the answer's updates in a row, in either version. */
export const streamedText = (results: readonly Any[]): string =>
  results
    .map((result) => result.artifactUpdate ?? (result.kind === 'artifact-update' ? result : undefined))
    .filter((update) => update?.artifact.name === 'answer')
    .flatMap((update) => update.artifact.parts)
    .map((part) => part.text ?? '')
    .join('')

export const answerIn = (task: Any): string =>
  (task.artifacts ?? [])
    .filter(({ name }: Any) => name === 'answer')
    .flatMap(({ parts }: Any) => parts)
    .map(({ text = '' }: Any) => text)
    .join('')
