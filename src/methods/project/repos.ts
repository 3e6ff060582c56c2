import * as z from 'zod'
import { isOver } from '../../domain/contract/next-step.ts'
import type { Env } from '../../domain/env.ts'
import { memberOf, membership, openProjectOf, repoNamed, repoOfAgent } from '../../domain/lookup.ts'
import { repoCalled } from '../../domain/names/find-by-name.ts'
import { askIn, joinAs } from '../../domain/project/joining-advice.ts'
import { describeRepo } from '../../domain/repo/about.ts'
import { mayActFor } from '../../domain/repo/acting-for.ts'
import { assertRoomForRepo, nameRepo, releaseRepo } from '../../domain/repo/repo.ts'
import { speakIn } from '../../domain/speaking/speaking.ts'
import { removal as removalKind } from '../../domain/statements/removal.ts'
import type { SpeaksBy } from '../../domain/statements/say.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'
import { filtered, firstOf } from '../../protocol/collections/iterables.ts'
import { Fault } from '../../protocol/fault.ts'
import { ProjectWord, RepoWord } from '../../protocol/named.ts'
import { Texts } from '../../protocol/words.ts'
import { EXAMPLE } from '../examples.ts'
import { method } from '../row.ts'
import { RepoInput } from '../shapes.ts'

/** Methods that add repos to a project, and remove them. */

export const addRepo = method({
  name: 'cacp/project/addRepo',
  summary: 'Add a repository to a project.',
  access: 'write',
  permission: 'project:write',
  params: RepoInput.extend({ projectId: ProjectWord }),
  result: z.object({ repoId: z.string(), status: z.literal('added'), repoCount: z.int() }),
  example: {
    params: { projectId: EXAMPLE.projectId, name: 'mobile-app', role: 'mobile', language: 'kotlin' },
    result: { repoId: EXAMPLE.repoId, status: 'added', repoCount: 3 },
  },
}).decide((view, { projectId, ...given }, env) => {
  const found = openProjectOf(view, projectId, env)
  if (repoNamed(found, given.name) !== undefined) throw alreadyThere(found, given.name, env)
  assertRoomForRepo(found, env.self)
  const about = describeRepo(given, view, env.self)
  const naming = nameRepo(found, namesBy(found, env), { name: given.name, ...about }, env)
  return {
    result: { repoId: naming.about, status: 'added', repoCount: found.repos.size + 1 },
    says: [naming],
  }
})

/** A caller without a repo may have wanted this one; for all others there is nothing left to do. */
function alreadyThere(found: ProjectView, repoName: string, env: Env): Fault {
  const { project_id: projectId } = found.project
  const isFree = repoNamed(found, repoName)?.holder === undefined
  const { next, call } =
    isFree && membership(found, env) === undefined
      ? { next: 'Claim it with cacp/project/join', call: joinAs(projectId, repoName) }
      : {
          next: 'Nothing is left to do: cacp/project/get shows it, and who holds it',
          call: { method: 'cacp/project/get', params: { projectId } },
        }
  return new Fault('conflict', `Project ${projectId} already has a repo named ${repoName}`, {
    next,
    data: { projectId, repoName, call },
  })
}

/** What a caller names repos by: as a member, or else as the founder. */
function namesBy(found: ProjectView, env: Env): SpeaksBy {
  const { founder } = found.project
  const own = membership(found, env)?.speaksBy
  return own ?? (founder.key === env.self.signer.keyId ? founder : memberOf(found, env).speaksBy)
}

export const removeRepo = method({
  name: 'cacp/project/removeRepo',
  summary: 'Take a repository out of a project that nobody holds, or that you hold yourself.',
  access: 'write',
  permission: 'project:write',
  params: z.object({ projectId: ProjectWord, repoName: RepoWord }),
  result: z.object({
    repoId: z.string(),
    status: z.literal('removed'),
    repoCount: z.int(),
    partyOf: Texts.optional().describe(
      'names of contracts that it was a party of, the first 20: they wait for it no more',
    ),
  }),
  example: {
    params: { projectId: EXAMPLE.projectId, repoName: 'mobile-app' },
    result: { repoId: EXAMPLE.repoId, status: 'removed', repoCount: 2 },
  },
}).decide((view, { projectId, repoName }, env) => {
  const found = openProjectOf(view, projectId, env)
  const repo = repoCalled(found, repoName)
  const { repo_id: repoId, holder, name } = repo
  if (holder !== undefined && !mayActFor(holder, env)) {
    if (repoOfAgent(found, env.caller.agentId) === undefined) memberOf(found, env)
    throw new Fault(
      'conflict',
      `Repo ${name} is claimed by ${holder.agent_id}, and only that agent can take it out`,
      {
        next: 'Ask that agent with cacp/context/askQuestion to call cacp/repo/release first',
        data: {
          projectId,
          repoName: name,
          agentId: holder.agent_id,
          call: askIn(projectId, `Please release repo ${name}`),
        },
      },
    )
  }
  const partyOf = contractsOf(found, repoId)
  const by = holder?.speaks_by ?? namesBy(found, env)
  const speak = speakIn(found, by, env)
  return {
    says: [
      ...repo.namings.map((naming) => speak(removalKind, { about: repoId, body: { naming } })),
      ...(holder === undefined ? [] : releaseRepo(found, repo, { claim: holder, env })),
    ],
    tell: (after) => ({
      repoId,
      status: 'removed',
      repoCount: after.projects.get(projectId)?.repos.size ?? 0,
      ...(partyOf.length === 0 ? {} : { partyOf }),
    }),
  }
})

const MOST_CONTRACTS_LISTED = 20

function contractsOf({ contracts }: ProjectView, repoId: string): string[] {
  const isItsOwn = (one: ContractEntity) => !isOver(one) && one.head.needed.includes(repoId)
  return firstOf(filtered(contracts.oldestFirst(), isItsOwn), MOST_CONTRACTS_LISTED).map(({ name }) => name)
}
