import MiniSearch, { type SearchOptions } from 'minisearch'
import type { RegisteredAgent } from '../domain/adp/registered-agent.ts'
import { keptManifest } from '../protocol/agent/adp.ts'
import { compareText } from '../protocol/json/canonical.ts'
import type { JsonObject } from '../protocol/json/json.ts'

/** What agents are found by. */
type AgentFacts = ReturnType<typeof factsOf>

/** Limits of a query, because each word costs time. */
const MOST_WORDS = 20
const MOST_LETTERS = 30
/** How many characters of each text are indexed. */
const MOST_INDEXED = 2000

/** How many letters of a word may be wrong. Two swapped letters count as two errors. Numbers must be exact. */
const wrongLetters = (word: string): number =>
  word.length < 4 || /\d/.test(word) ? 0 : word.length < 5 ? 1 : 2

const termsIn = (text: string): string[] =>
  (MiniSearch.getDefault('tokenize') as (text: string) => string[])(text)
    .map((word) => word.slice(0, MOST_LETTERS).toLowerCase())
    .filter((word) => word !== '')

/** Words match by their beginning or with errors; a name counts more than a description. */
const SEARCH: SearchOptions = {
  prefix: true,
  fuzzy: wrongLetters,
  boost: { name: 3, words: 2 },
}

/**
 * With more agents than this, a word that half of them have says little and would cost the most, so it is ignored.
 */
const FEW_AGENTS = 100

/** The agents of an exchange by the words in their manifests. Built anew at every start. */
export class AgentIndex {
  readonly #texts = new MiniSearch<AgentFacts>({
    idField: 'aid',
    fields: ['aid', 'name', 'description', 'words'],
    tokenize: termsIn,
    searchOptions: SEARCH,
  })
  readonly #facts = new Map<string, AgentFacts>()
  /** How many agents have a word. */
  readonly #counts = new Map<string, number>()

  put(agent: RegisteredAgent): void {
    const facts = factsOf(agent)
    this.#count(this.#facts.get(agent.aid), -1)
    this.#count(facts, 1)
    this.#facts.set(agent.aid, facts)
    if (this.#texts.has(agent.aid)) this.#texts.replace(facts)
    else this.#texts.add(facts)
  }

  remove(aid: string): void {
    this.#count(this.#facts.get(aid), -1)
    this.#facts.delete(aid)
    if (this.#texts.has(aid)) this.#texts.discard(aid)
  }

  /**
   * The best match first; without a query, all agents that pass the filters, the newest first. `ignored` are filters
   * that are unknown here, so that no caller takes the answer for filtered by them.
   */
  find(query: string, filters: JsonObject): { aids: readonly string[]; ignored: readonly string[] } {
    const tests = Object.entries(filters).flatMap(([name, wanted]) => testFor(name, wanted) ?? [])
    const ignored = Object.keys(filters).filter((name) => testFor(name, filters[name]) === undefined)
    const aids = this.#ranked(query).filter((facts) => tests.every((passes) => passes(facts)))
    return { aids: aids.map(({ aid }) => aid), ignored }
  }

  #ranked(query: string): AgentFacts[] {
    const terms = termsIn(query).slice(0, MOST_WORDS)
    if (terms.length === 0) return this.#newest(() => true)
    const distinctive = terms.filter((term) => !this.#isCommon(term))
    const found = distinctive.length === 0 ? [] : this.#texts.search(distinctive.join(' '))
    if (found.length > 0) return found.flatMap(({ id }) => this.#facts.get(String(id)) ?? [])
    return this.#newest((facts) => terms.some((term) => facts.terms.has(term)))
  }

  #newest(passes: (facts: AgentFacts) => boolean): AgentFacts[] {
    return [...this.#facts.values()].filter(passes).sort((a, b) => compareText(b.rank, a.rank))
  }

  #isCommon(term: string): boolean {
    return this.#facts.size > FEW_AGENTS && (this.#counts.get(term) ?? 0) > this.#facts.size / 2
  }

  #count(facts: AgentFacts | undefined, times: 1 | -1): void {
    for (const term of facts?.terms ?? []) {
      const count = (this.#counts.get(term) ?? 0) + times
      if (count === 0) this.#counts.delete(term)
      else this.#counts.set(term, count)
    }
  }
}

type Test = (facts: AgentFacts) => boolean

/** A list in a filter means: one of these. */
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

function factsOf({ aid, text, key, registered_at }: RegisteredAgent) {
  const { name, description, capabilities, invocation, metadata, owner } = keptManifest(text)
  const { role, languages } = metadata?.cacp ?? {}
  const lower = (words: readonly (string | null | undefined)[]) =>
    words.flatMap((word) => word?.toLowerCase() ?? [])
  const lists = {
    protocols: lower(invocation.protocols.map(({ type }) => type)),
    roles: lower([role]),
    languages: lower(languages ?? []),
    capabilities: lower((capabilities ?? []).map(({ id }) => id)),
  }
  const descriptions = (capabilities ?? []).map((capability) => capability.description)
  const texts = {
    aid,
    name,
    description: [description ?? '', ...descriptions].join(' ').slice(0, MOST_INDEXED),
    words: [...Object.values(lists).flat(), owner?.org ?? ''].join(' ').slice(0, MOST_INDEXED),
  }
  return {
    ...texts,
    ...lists,
    isVerified: key !== null,
    rank: registered_at,
    /** All words that it can be found by. */
    terms: new Set(termsIn(Object.values(texts).join(' '))),
  }
}
