import type { Caller } from '../../domain/env.ts'
import { maySee } from '../../domain/lookup.ts'
import { HIT_KINDS, hitOf } from '../../domain/search/hit.ts'
import { telling, wordsOf } from '../../domain/search/words.ts'
import type { View } from '../../domain/view.ts'
import type { SearchAnswer, SearchRequest } from '../../methods/seat/search.ts'
import type { Search } from '../../methods/seat/service.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { wrongField } from '../../protocol/fault.ts'
import type { Parts } from '../parts.ts'

const MOST_WORDS_SEARCHED = 20

/** Full-text search in contracts, packets and answers; each caller finds what it may see. */
export function createSearch({ store, index }: Pick<Parts, 'store' | 'index'>): Search {
  return {
    async find(request, caller): Promise<SearchAnswer> {
      const { found, total } = await index.search({
        text: wordsToFind(request.query).join(' '),
        limit: request.limit,
        kinds: new Set(request.kind === undefined ? HIT_KINDS : [request.kind]),
        mayUse: visibleTo(caller, request, store.view),
      })
      // Read inside a commit, so that nothing is returned that a crash could still undo.
      return store.commit((view) => {
        const mayTell = visibleTo(caller, request, view)
        const hits = found.flatMap((one) => {
          const project = mayTell(one.projectId) ? view.projects.get(one.projectId) : undefined
          return project === undefined ? [] : hitOf(one, project)
        })
        return { result: { hits, total: total - (found.length - hits.length) } }
      })
    },
  }
}

/** The meaningful words of a query; if it has none, all its words. */
function wordsToFind(query: string): string[] {
  const meaningful = telling(query)
  const words = [...new Set(meaningful.length > 0 ? meaningful : wordsOf(query))]
  if (words.length > 0) return words.slice(0, MOST_WORDS_SEARCHED)
  throw wrongField('query', 'must have a word to look for, such as "login token"')
}

/** Whether the caller may see a project; remembered, so that each project is checked once. */
function visibleTo(caller: Caller, { project }: SearchRequest, view: View): (projectId: string) => boolean {
  const known = new Map<string, boolean>()
  return (projectId) =>
    getOrAdd(known, projectId, () => {
      const found = view.projects.get(projectId)
      return (project ?? projectId) === projectId && found !== undefined && maySee(found, caller)
    })
}
