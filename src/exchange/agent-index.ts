import MiniSearch, { type SearchOptions } from 'minisearch'
import type { RegisteredAgent } from '../domain/registered-agent.ts'
import { readManifest } from '../protocol/adp.ts'
import { compareText } from '../protocol/canonical.ts'
import type { JsonObject } from '../protocol/json.ts'

/** What agents are found by. */
interface Facts {
  readonly aid: string
  readonly name: string
  readonly description: string
  readonly words: string
  readonly protocols: readonly string[]
  readonly roles: readonly string[]
  readonly languages: readonly string[]
  readonly capabilities: readonly string[]
  readonly isVerified: boolean
  readonly rank: string
}

export interface Found {
  /** The best first. */
  readonly aids: readonly string[]
  /** Filters that mean nothing here, so that nobody takes the answer for filtered by them. */
  readonly ignored: readonly string[]
}

/** Nobody looks for more words than this, or for longer ones, but each one costs. */
const MOST_WORDS = 20
const MOST_LETTERS = 30
/** Characters of each text that agents are found by. */
const MOST_INDEXED = 2000

/** Two letters that changed places are two that are wrong. */
const wrongLetters = (word: string): number => (word.length < 4 ? 0 : word.length < 5 ? 1 : 2)

const wordsIn = MiniSearch.getDefault('tokenize') as (text: string) => string[]

/** A word may be begun only, or misspelt; a name says more than a description. */
const SEARCH: SearchOptions = {
  prefix: true,
  fuzzy: wrongLetters,
  boost: { name: 3, words: 2 },
  tokenize: (query) => wordsIn(query).slice(0, MOST_WORDS),
  processTerm: (word) => word.slice(0, MOST_LETTERS).toLowerCase(),
}

/** The agents of an exchange by the words in their manifests. It is made anew at every start. */
export class AgentIndex {
  readonly #texts = new MiniSearch<Facts>({
    idField: 'aid',
    fields: ['aid', 'name', 'description', 'words'],
    processTerm: (word) => word.slice(0, MOST_LETTERS).toLowerCase(),
    searchOptions: SEARCH,
  })
  readonly #facts = new Map<string, Facts>()

  put(agent: RegisteredAgent): void {
    const facts = factsOf(agent)
    this.#facts.set(agent.aid, facts)
    if (this.#texts.has(agent.aid)) this.#texts.replace(facts)
    else this.#texts.add(facts)
  }

  remove(aid: string): void {
    this.#facts.delete(aid)
    if (this.#texts.has(aid)) this.#texts.discard(aid)
  }

  /** Without a query all that pass the filters, the newest first. */
  find(query: string, filters: JsonObject): Found {
    const tests = Object.entries(filters).flatMap(([name, wanted]) => testFor(name, wanted) ?? [])
    const ignored = Object.keys(filters).filter((name) => testFor(name, filters[name]) === undefined)
    const aids = this.#ranked(query).filter((facts) => tests.every((passes) => passes(facts)))
    return { aids: aids.map(({ aid }) => aid), ignored }
  }

  #ranked(query: string): Facts[] {
    if (query.trim() === '') return [...this.#facts.values()].sort((a, b) => compareText(b.rank, a.rank))
    return this.#texts.search(query).flatMap(({ id }) => this.#facts.get(String(id)) ?? [])
  }
}

type Test = (facts: Facts) => boolean

/** Where several are wanted, one of them is enough. */
function testFor(name: string, wanted: unknown): Test | undefined {
  if (name === 'verified' && typeof wanted === 'boolean') return ({ isVerified }) => isVerified === wanted
  const key = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined
  const words = (Array.isArray(wanted) ? wanted : [wanted]).filter((word) => typeof word === 'string')
  if (key === undefined || words.length === 0) return undefined
  const set = new Set(words.map((word) => word.toLowerCase()))
  return (facts) => facts[key].some((word) => set.has(word))
}

const LISTS: Readonly<Record<string, 'protocols' | 'roles' | 'languages' | 'capabilities'>> = {
  protocols: 'protocols',
  protocol: 'protocols',
  roles: 'roles',
  role: 'roles',
  languages: 'languages',
  language: 'languages',
  capabilities: 'capabilities',
  capability: 'capabilities',
}

function factsOf({ aid, text, key, registered_at }: RegisteredAgent): Facts {
  const { name, description, capabilities, invocation, metadata, owner } = readManifest(text).manifest
  const { role, languages } = metadata?.cacp ?? {}
  const lower = (words: readonly (string | null | undefined)[]) =>
    words.flatMap((word) => word?.toLowerCase() ?? [])
  const lists = {
    protocols: lower(invocation.protocols.map(({ type }) => type)),
    roles: lower([role]),
    languages: lower(languages ?? []),
    capabilities: lower((capabilities ?? []).map(({ id }) => id)),
  }
  const told = (capabilities ?? []).map((capability) => capability.description)
  return {
    aid,
    name,
    description: [description ?? '', ...told].join(' ').slice(0, MOST_INDEXED),
    words: [...Object.values(lists).flat(), owner?.org ?? ''].join(' ').slice(0, MOST_INDEXED),
    ...lists,
    isVerified: key !== null,
    rank: registered_at,
  }
}
