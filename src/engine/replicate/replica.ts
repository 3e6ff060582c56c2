import type { Caller } from '../../domain/env.ts'
import { maySee } from '../../domain/lookup.ts'
import type { View } from '../../domain/view.ts'
import type { EntityHash, ProjectDigest, Replica } from '../../methods/services.ts'
import { bucketDigests, bucketOf, type Digests } from './digests.ts'

/** Answers the questions of a peer that compares itself with this daemon. */
export function createReplica(digests: Digests, view: View): Replica {
  return {
    async digests(caller: Caller): Promise<readonly ProjectDigest[]> {
      const totals = await digests.totals()
      return Array.from(totals, ([projectId, total]) => ({ projectId, ...total })).filter(({ projectId }) => {
        const found = view.projects.get(projectId)
        return found !== undefined && maySee(found, caller)
      })
    },

    async buckets(projectId, count) {
      return bucketDigests(await digests.hashes(projectId), count)
    },

    async entities(projectId, count, buckets) {
      const wanted: EntityHash[] = []
      for (const [key, hash] of await digests.hashes(projectId)) {
        if (!buckets.has(bucketOf(key, count))) continue
        const [kind = '', , id = ''] = key.split(' ')
        wanted.push([kind, id, hash])
      }
      return wanted
    },
  }
}
