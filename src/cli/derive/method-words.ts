import type { AnyMethod } from '../../methods/row.ts'
import { commandOf, kebab } from './kebab.ts'
import type { MethodWord } from './method-form.ts'

const PEER = ['peer', 'its agent ID, repository or URL, as `cacpd peers` shows it'] as const

/** By the param that a command is about: the name of the word for it, and by what it names the thing. */
const WORDS: Readonly<Record<string, readonly [name: string, by: string]>> = {
  projectId: ['project', 'its ID or name'],
  contractId: ['contract', 'its ID or name'],
  packetId: ['question', 'its ID or what it asks'],
  itemId: ['item', 'its ID, the beginning of it, or what it is about, as `cacpd inbox` shows it'],
  agentId: PEER,
  peer: PEER,
  url: ['url', 'where it listens, as `cacpd status` says there'],
  workType: ['type', 'what kind of work, such as answer_question'],
  workId: ['work', 'its ID or the beginning of it, as `cacpd work list` shows it'],
  runId: ['run', 'its ID or the beginning of it, as `cacpd runs` shows it'],
  tokenId: ['token', 'its ID, as `cacpd token list` shows it'],
  inviteId: ['invite', 'its ID, as `cacpd invite list` shows it'],
}

/** Of these groups the param is a word also where it can be left out. */
const OPTIONAL: Readonly<Record<string, string>> = { project: 'projectId', peers: 'agentId' }

/** The params that can be given as words without their options: what the method has to know, in the order of its params. */
export function methodWords({ name: method, params }: Pick<AnyMethod, 'name' | 'params'>): MethodWord[] {
  const [group] = commandOf(method)
  return Object.entries(params.shape).flatMap(([param, schema]): MethodWord[] => {
    const [name, by] = WORDS[param] ?? []
    const isNeeded = !schema.safeParse(undefined).success
    if (name === undefined || !(isNeeded || OPTIONAL[group] === param)) return []
    const word = { form: `[${name}]`, about: `${by} (instead of --${kebab(param)})`, param }
    const missing = `${name.toUpperCase()} is missing: ${by} (or --${kebab(param)})`
    return [isNeeded ? { ...word, missing } : word]
  })
}
