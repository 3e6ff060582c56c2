import { callOnce } from '../http-request.ts'
import { digestOfAll } from '../material.ts'
import { holds } from '../mesh.ts'
import type { Running } from '../workshop.ts'

/** What daemons keep after something went wrong, against what they had acknowledged. */

const ABREAST = 16

/** Asked for one by one: a project shows only its newest contracts. */
export async function countMissing(
  daemon: Running,
  projectId: string,
  ids: ReadonlySet<string>,
): Promise<number> {
  let missing = 0
  const all = [...ids]
  for (let from = 0; from < all.length; from += ABREAST) {
    const answers = all.slice(from, from + ABREAST).map((id) => holds(daemon, projectId, id))
    for (const isThere of await Promise.all(answers)) if (!isThere) missing++
  }
  return missing
}

export async function areEqual(daemons: readonly Running[]): Promise<boolean> {
  const digests = await Promise.all(daemons.map((one) => callOnce(one, digestOfAll())))
  return new Set(digests.map((one) => JSON.stringify(one))).size === 1
}

export const works = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  )
