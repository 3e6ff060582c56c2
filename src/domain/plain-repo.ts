import type { z } from 'zod'
import { canonicalText } from '../protocol/canonical.ts'
import { type Stamp, stampAfter } from '../protocol/stamp.ts'
import type { Project, Repo, RepoForm, Shadow } from './model.ts'
import { repoForm } from './plain-form.ts'
import { renderRepo } from './render.ts'
import { repoStamp } from './repo.ts'
import type { WireRepo } from './wire.ts'

type Given = z.infer<typeof WireRepo>

export interface RepoReading {
  readonly project: Project
  readonly local: Repo | undefined
  readonly shadow: Shadow | undefined
  readonly now: Stamp
  /** Who shows it. */
  readonly agentId: string
}

/**
 * A plain peer's repo as a cacpd would hand it over. The peer knows no times of claims: a claim that it was
 * not known to show counts from now, and one that it does not show is unknown, not released.
 */
export function readRepo(given: Given, { project, local, shadow, now, agentId }: RepoReading): object {
  const form = repoForm(given)
  const at = stampAfter(now, local === undefined ? project.created_at : repoStamp(local))
  if (local === undefined) return { ...given, claims: form.agent === null ? [] : [claimOf(form, at)] }

  const before = [shadow?.shown, shadow?.sent].filter((one) => one?.kind === 'repo')
  const shown = renderRepo(local, project)
  // Another daemon may have told it what is known here as well.
  const known = [...before.map(({ about }) => about), local.about.value].map(canonicalText)
  const isDescribedAnew = before.length > 0 && !known.includes(canonicalText(form.about))
  const about = isDescribedAnew ? { ...form.about, described_at: at } : {}
  // Of others it may only have heard late what is over here: a call of ours that was overtaken by the next one.
  const isOldNews = form.agent !== agentId && shown.claims.some((claim) => claim.agent_id === form.agent)
  const isKnownClaim = form.agent === null || isOldNews || before.some((one) => one.agent === form.agent)
  const isKnownEndpoint = form.endpoint === null || before.some((one) => one.endpoint === form.endpoint)
  const claims = shown.claims.map((claim) => {
    const isHeld = claim.agent_id === form.agent && claim.released_at === null
    const hasMoved = isHeld && !isKnownEndpoint && claim.agent_endpoint !== form.endpoint
    return hasMoved ? { ...claim, agent_endpoint: form.endpoint, endpoint_at: at } : claim
  })
  const isHeld = claims.some((claim) => claim.agent_id === form.agent && claim.released_at === null)
  return {
    ...shown,
    ...about,
    claims: isKnownClaim || isHeld ? claims : [...claims, claimOf(form, at)],
  }
}

const claimOf = ({ agent, endpoint }: RepoForm, at: Stamp) => ({
  agent_id: agent,
  claimed_at: at,
  released_at: null,
  agent_endpoint: endpoint,
  endpoint_at: at,
})
