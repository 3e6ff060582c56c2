import { resolve } from 'node:path'
import { callQuickly, type QuickCall } from '../../io/outbound/quick-call.ts'
import { findDaemon } from '../../io/place/find-daemon.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { isPlainLabel } from '../../protocol/words.ts'
import { NAMED_OPTIONS, type Offered } from '../derive/named-options.ts'
import type { Terminal } from '../output/terminal.ts'

/** How long somebody who pressed Tab is kept waiting. */
const PATIENCE_MILLIS = 800
const MOST = 200

/** For each kind of thing: the method that lists it, where the list is in the answer, and its keys for name and ID. */
const QUESTIONS: Readonly<Record<Offered, Question>> = {
  project: { method: 'cacp/project/overview', list: 'projects', name: 'name', id: 'projectId' },
  contract: {
    method: 'cacp/contract/list',
    list: 'contracts',
    name: 'name',
    id: 'contractId',
    isIn: 'project',
  },
  packet: {
    method: 'cacp/context/list',
    list: 'packets',
    name: 'content.question',
    id: 'packet_id',
    isIn: 'project',
  },
  repo: { method: 'cacp/project/get', list: 'repos', name: 'name', id: 'repo_id', isIn: 'project' },
  peer: { method: 'cacp/peer/list', list: 'peers', name: 'repoName', id: 'agentId' },
  item: { method: 'cacp/inbox/list', list: 'items', name: 'about.name', id: 'id' },
  question: { method: 'cacp/inbox/list', list: 'items', name: 'about.name', id: 'id', about: 'packet' },
}

interface Question {
  readonly method: string
  readonly list: string
  /** Keys, from the outermost on. */
  readonly name?: string
  readonly id: string
  readonly isIn?: 'project'
  /** Of items, only those about a thing of this kind. */
  readonly about?: string
}

/** `cacpd complete KIND -- WORDS`: one value a line for the shell that asks, or nothing. */
export async function offerValues(kind: string, words: readonly string[], terminal: Terminal): Promise<void> {
  const question = Object.hasOwn(QUESTIONS, kind) ? QUESTIONS[kind as Offered] : undefined
  if (question === undefined) return
  // While somebody types, errors are left to the command itself.
  const values = await valuesFor(question, words, terminal).catch(() => [])
  terminal.print(values.map((value) => `${value}\n`).join(''))
}

async function valuesFor(
  question: Question,
  words: readonly string[],
  { env, cwd }: Terminal,
): Promise<string[]> {
  const after = (options: readonly string[]) => {
    const at = words.findLastIndex((word) => options.includes(word.split('=', 1)[0] ?? ''))
    const [, joined] = /^[^=]*=(.*)$/s.exec(words[at] ?? '') ?? []
    return at < 0 ? undefined : (joined ?? words[at + 1])
  }
  const folder = words[1] === '-C' ? resolve(cwd, words[2] ?? '.') : cwd
  const daemon = await findDaemon({ dataDir: after(['--data']), env, cwd: folder })
  const signal = AbortSignal.timeout(PATIENCE_MILLIS)
  const [answer] = await callQuickly(daemon, [callFor(question, after(NAMED_OPTIONS.project))], signal)
  const { result } = answer ?? {}
  const rows = isJsonObject(result) ? result[question.list] : undefined
  const isMeant = (row: JsonObject) =>
    question.about === undefined || textAt(row, 'about.kind') === question.about
  const found = Array.isArray(rows) ? rows.filter(isJsonObject).filter(isMeant).slice(0, MOST) : []
  const names = found.map((row) => textAt(row, question.name))
  // A name that several go by names none of them.
  const isClear = (name: string) =>
    isPlainLabel(name) && name !== '' && names.indexOf(name) === names.lastIndexOf(name)
  return found
    .map((row, index) => (isClear(names[index] ?? '') ? (names[index] ?? '') : textAt(row, question.id)))
    .filter((value) => value !== '' && isPlainLabel(value))
}

function textAt(row: JsonObject, keys = ''): string {
  let value: unknown = row
  for (const key of keys.split('.')) value = isJsonObject(value) ? value[key] : undefined
  return typeof value === 'string' ? value : ''
}

function callFor({ method, list, isIn }: Question, project: string | undefined): QuickCall {
  const named = isIn === undefined || project === undefined ? {} : { projectId: project }
  if (list === 'peers') return { method, params: {} }
  if (list === 'repos') return { method, params: { ...named, parts: ['repos'] } }
  return { method, params: { ...named, limit: MOST } }
}
