import type { Caller } from '../../../domain/env.ts'
import { maySee } from '../../../domain/lookup.ts'
import type { Replica } from '../../../methods/services.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { Parts } from '../../parts.ts'
import { bucketDigests, bucketOf, type Form } from './digests.ts'

type ReplicaDeps = Pick<Parts, 'digests' | 'intake' | 'view' | 'pause'>

/** Questions of one peer that are answered at a time. Its daemon asks them one after the other. */
const MOST_AT_ONCE = 4

/** Takes in what a peer sends, and answers when it compares itself with this daemon. */
export function createReplica({ digests, intake, view, pause }: ReplicaDeps): Replica {
  const underWay = new Map<string, number>()

  return {
    take: (texts, from) => oneOfFew(from.caller, () => intake.take(texts, from)),

    digests: (caller) =>
      question(caller, async () => {
        const totals = await digests.totals()
        return Array.from(totals, ([projectId, total]) => ({ projectId, ...total })).filter(
          ({ projectId }) => {
            const found = view.projects.get(projectId)
            return found !== undefined && maySee(found, caller)
          },
        )
      }),

    buckets: ({ projectId, count }, caller) =>
      question(caller, async () => bucketDigests(await digests.forms(projectId), count, pause)),

    ids: ({ projectId, count }, buckets, caller) =>
      question(caller, async () => {
        const wanted: Form[] = []
        for (const form of await digests.forms(projectId))
          if (buckets.has(bucketOf(form, count))) wanted.push(form)
        return wanted
      }),
  }

  async function question<T>(caller: Caller, answer: () => Promise<T>): Promise<T> {
    return oneOfFew(caller, async () => {
      await pause()
      return answer()
    })
  }

  /** A short question can have a long answer: a batch of them would fill the memory. */
  async function oneOfFew<T>({ agentId }: Caller, answer: () => Promise<T>): Promise<T> {
    const others = underWay.get(agentId) ?? 0
    if (others >= MOST_AT_ONCE)
      throw new Fault(
        'busy',
        `${MOST_AT_ONCE} calls of ${agentId} to compare or hand over are under way already`,
        { next: 'Ask again when one of them has been answered' },
      )
    underWay.set(agentId, others + 1)
    try {
      return await answer()
    } finally {
      const left = (underWay.get(agentId) ?? 1) - 1
      if (left === 0) underWay.delete(agentId)
      else underWay.set(agentId, left)
    }
  }
}
