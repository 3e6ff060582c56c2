import { Fault } from '../../protocol/fault.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Env } from '../env.ts'
import { memberOf } from '../lookup.ts'
import { askIn } from '../project/joining-advice.ts'
import { speakIn } from '../speaking/speaking.ts'
import type { Speaking, SpeaksBy, Unsigned } from '../statements/say.ts'
import { settlement as settlementKind } from '../statements/settlement.ts'
import type { ProjectView } from '../view.ts'
import type { ClaimEntity, RepoEntity } from '../views/entities.ts'
import { asFounder } from './acting-for.ts'

/** Settles who holds a repo that was claimed by mistake or by force. */

/** What a caller may settle by: as the founder of the project, or as a member that the founder confirmed. */
export function settlesBy(found: ProjectView, { name }: RepoEntity, env: Env): SpeaksBy {
  const founder = asFounder(found, env)
  if (founder !== undefined) return founder
  const { claim, repo, speaksBy } = memberOf(found, env)
  if (claim.is_confirmed) return speaksBy
  throw new Fault('forbidden', `The claim of ${claim.agent_id} on repo ${repo.name} is not confirmed`, {
    next: `Ask ${found.project.created_by}, who founded the project, with cacp/context/askQuestion to call cacp/repo/settle`,
    data: {
      repoName: repo.name,
      call: askIn(found.project.project_id, `Please settle who holds repo ${name}`),
    },
  })
}

/** The claim of this id, or the unreleased claim of this agent. */
export const findHolder = (found: ProjectView, { name, claims }: RepoEntity, word: string): ClaimEntity =>
  findClaim(
    claims.filter(({ released_at }) => released_at === undefined),
    {
      field: 'holder',
      word,
      params: { projectId: found.project.project_id, repoName: name },
      orElse: '; or with null for nobody, and have the right one join then',
    },
  )

/** The claim of this id or agent, released or not, whose statements are to count despite its release or rotation. */
export function findRestored(
  found: ProjectView,
  { name, claims }: RepoEntity,
  { word, holder }: { readonly word: string; readonly holder: ClaimEntity | null },
): ClaimEntity {
  const named = { projectId: found.project.project_id, repoName: name }
  const params = { ...named, holder: holder?.claim_id ?? null }
  const matching = findClaim(claims, { field: 'restore', word, params, orElse: '' })
  if (matching.speaks_by.key !== holder?.speaks_by.key) return matching
  throw new Fault('invalid_params', `restore: ${word} is the one that is to hold repo ${name}`, {
    next: 'Call cacp/repo/settle with holder null, and have it join again then if it is to be trusted',
    data: {
      field: 'restore',
      repoName: name,
      call: { method: 'cacp/repo/settle', params: { ...named, holder: null, restore: matching.claim_id } },
    },
  })
}

interface Wanted {
  readonly field: 'holder' | 'restore'
  readonly word: string
  /** The other params of the call. */
  readonly params: JsonObject & { readonly repoName: string }
  /** What may be given instead of one of them. */
  readonly orElse: string
}

function findClaim(claims: readonly ClaimEntity[], { field, word, params, orElse }: Wanted): ClaimEntity {
  const { repoName: name } = params
  const matching = claims.filter(({ claim_id, agent_id }) => claim_id === word || agent_id === word)
  const keys = new Set(matching.map(({ speaks_by }) => speaks_by.key))
  const [first] = matching
  if (first !== undefined && keys.size === 1) return first
  const listed = (first === undefined ? claims : matching).slice(0, 10)
  const candidates = listed.map(({ claim_id, agent_id }) => `${agent_id} (claim ${claim_id})`)
  const again = listed[0] && {
    method: 'cacp/repo/settle',
    params: { ...params, [field]: listed[0].claim_id },
    fill: [field],
  }
  throw new Fault(
    first === undefined ? 'not_found' : 'invalid_params',
    first === undefined
      ? `${field}: ${word} has no claim on repo ${name}`
      : `${field}: ${keys.size} daemons claimed repo ${name} as ${word}`,
    {
      next:
        again === undefined
          ? 'Nobody claims it, so there is nothing to settle: whoever it is for has it in its inbox to call cacp/project/join'
          : `Call cacp/repo/settle with one of: ${candidates.join(', ')}${orElse}`,
      data: { field, repoName: name, call: again },
    },
  )
}

interface Settling {
  readonly claim: ClaimEntity | null
  /** Until when statements under the other claims count. */
  readonly until: Stamp | null
  /** The claim whose statements count until then (or now), whatever its own release or rotation says. */
  readonly restore?: ClaimEntity | undefined
  readonly by: SpeaksBy
  readonly env: Speaking
}

/**
 * Makes a complete settlement: it replaces earlier ones, so it repeats what is to remain in effect. It also names
 * claims under which nothing counts: a claim that is not named escapes the settlement if somebody says that it ended
 * before.
 */
export function settleRepo(
  found: ProjectView,
  { repo_id: about, claims }: RepoEntity,
  { claim, until, restore, by, env }: Settling,
): Unsigned {
  const isToRestore = (one: ClaimEntity) => one.speaks_by.key === restore?.speaks_by.key
  const ended = claims
    .filter(
      (one) => one.speaks_by.key !== claim?.speaks_by.key && (one.standing !== 'left' || isToRestore(one)),
    )
    .map((one) => {
      if (isToRestore(one)) return { ...one, until: until ?? env.now, is_restored: true }
      return { ...one, until: one.standing === 'settled' ? one.counts_until : until }
    })
    .sort((a, b) => urgency(b) - urgency(a))
    .slice(0, LIMITS.listItems)
    .sort((a, b) => compareText(a.claim_id, b.claim_id))
  const restored = ended.filter(({ is_restored }) => is_restored).map(({ claim_id }) => claim_id)
  const body = {
    holder: claim?.claim_id ?? null,
    ended: ended.map((one) => ({ claim: one.claim_id, until: one.until })),
    ...(restored.length === 0 ? {} : { restored }),
  }
  return speakIn(found, by, env)(settlementKind, { about, body })
}

/** Which claims to name first when there are too many: anybody can make claims that nobody confirms. */
function urgency(claim: ClaimEntity & Pick<Settling, 'until'>): number {
  const { standing, is_confirmed, released_at, is_restored, until } = claim
  if (is_restored || standing === 'holds' || (is_confirmed && released_at === undefined)) return 2
  return is_confirmed || until !== null ? 1 : 0
}
