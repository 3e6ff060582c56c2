import type { Caller } from '../domain/env.ts'
import type { Hit, HitKind } from '../domain/search-hit.ts'

/** Finds things by their words. */
export interface Search {
  /** What the caller may see, the best first. */
  find(request: SearchRequest, caller: Caller): Promise<SearchAnswer>
}

export interface SearchRequest {
  readonly query: string
  /** Only in this project. */
  readonly project?: string | undefined
  readonly kind?: HitKind | undefined
  readonly limit: number
}

export interface SearchAnswer {
  readonly hits: readonly Hit[]
  /** Also those beyond the limit. */
  readonly total: number
}
