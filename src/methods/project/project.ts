import * as z from 'zod'
import type { Env } from '../../domain/env.ts'
import { memberOf, membership, projectOf } from '../../domain/lookup.ts'
import { asOwnFounder } from '../../domain/repo/acting-for.ts'
import { claimRepo, confirmClaim, describeRepo, nameRepo } from '../../domain/repo/repo.ts'
import { speakIn } from '../../domain/speaking/speaking.ts'
import { project as projectKind } from '../../domain/statements/project.ts'
import { type SpeaksBy, sayFounding, speaksByOf, type Unsigned } from '../../domain/statements/say.ts'
import { title as titleKind } from '../../domain/statements/title.ts'
import { wrongField } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { AnyProjectWord } from '../../protocol/named.ts'
import { NewName, Text, Visibility } from '../../protocol/words.ts'
import { changes, EXAMPLE, method } from '../row.ts'
import { RepoInput } from '../shapes.ts'

export const create = method({
  name: 'cacp/project/create',
  summary: 'Create a new coordination project.',
  access: 'write',
  params: z.object({
    name: NewName,
    objective: Text,
    repos: z.array(RepoInput).max(LIMITS.repos).optional().describe('default: the repo you act for'),
    visibility: Visibility.default('all').describe('members: only peers whose repo is named here get it'),
  }),
  result: z.object({
    projectId: z.string(),
    status: z.literal('created'),
    repoCount: z.int(),
    hint: z.string().optional(),
  }),
  example: {
    params: {
      name: 'User Auth Feature',
      objective: 'Implement OAuth 2.0 login across frontend and backend',
      repos: [
        { name: 'backend-api', role: 'backend', language: 'python' },
        { name: 'frontend-app', role: 'frontend', language: 'typescript' },
      ],
    },
    result: { projectId: EXAMPLE.projectId, status: 'created', repoCount: 2 },
  },
}).decide((view, { name, objective, repos, visibility }, env) => {
  const { caller, self } = env
  const acting = caller.repoName
  const wanted = repos ?? (acting === null ? [] : [{ name: acting, relevantPaths: [] }])
  const names = wanted.map((repo) => repo.name)
  const twice = names.find((repo, index) => names.indexOf(repo) !== index)
  if (twice !== undefined) throw wrongField('repos', `${twice} is named twice`)

  const founding = found({ name, objective, visibility }, env)
  const founder = speaksByOf(founding)
  const { project_id: projectId } = founding
  const namings = wanted.map((given) =>
    nameRepo(NOWHERE_YET, founder, { name: given.name, ...describeRepo(given, view, self) }, env),
  )
  const isMember = acting !== null && names.includes(acting)
  return {
    result: {
      projectId,
      status: 'created',
      repoCount: names.length,
      ...(isMember ? {} : { hint: hintForOutsider(acting) }),
    },
    says: [founding, ...namings, ...(isMember ? claimFirst(founder, acting, env) : [])],
  }
})

/** A project that is being founded. */
const NOWHERE_YET = { newestAbout: () => undefined }

function found(given: { name: string; objective: string; visibility: Visibility }, env: Env): Unsigned {
  const { caller, self, now: at, newNonce } = env
  const { publicKey: public_key } = self.signer
  const reported = caller.kind === 'peer' ? { reported_by: self.agentId } : {}
  const body = { public_key, agent_id: caller.agentId, ...given, nonce: newNonce(), ...reported }
  return sayFounding(projectKind, { at, body }, env)
}

function claimFirst(founder: SpeaksBy, repoName: string, env: Env): Unsigned[] {
  const { kind, agentId } = env.caller
  const endpoint = agentId === env.self.agentId ? env.self.endpoint : null
  const request = { projectId: founder.project_id, repoName, agentId, endpoint, isReported: kind === 'peer' }
  const claim = claimRepo(NOWHERE_YET, request, env)
  return [claim, confirmClaim(NOWHERE_YET, founder, claim, env)]
}

function hintForOutsider(acting: string | null): string {
  return acting === null
    ? 'You hold no repo of this project yet: call cacp/project/join with the repoName you work in'
    : `Your repo ${acting} is not among its repos: add it with cacp/project/addRepo, or start cacpd with --repo NAME if it goes by another name`
}

export const archive = method({
  name: 'cacp/project/archive',
  summary: 'Archive a project: it stays readable, leaves the list and takes no more changes.',
  ...changes('project:write'),
  params: z.object({
    projectId: AnyProjectWord,
    archived: z.boolean().default(true).describe('false brings it back'),
  }),
  result: z.object({ projectId: z.string(), status: z.enum(['archived', 'active']) }),
  example: {
    params: { projectId: EXAMPLE.projectId },
    result: { projectId: EXAMPLE.projectId, status: 'archived' },
  },
}).decide((view, { projectId, archived }, env) => {
  const found = projectOf(view, projectId, env)
  const { project } = found
  const by = membership(found, env)?.speaksBy ?? asOwnFounder(found, env) ?? memberOf(found, env).speaksBy
  const result = { projectId, status: archived ? ('archived' as const) : ('active' as const) }
  if (project.archived === archived) return { result }
  const body = { field: 'archived' as const, value: archived }
  return { result, says: [speakIn(found, by, env)(titleKind, { about: projectId, body })] }
})
