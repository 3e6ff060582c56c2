import type { Caller } from '../../domain/env.ts'
import { issueCommand } from '../../domain/trust/project-token.ts'
import type { View } from '../../domain/view.ts'
import type { Access } from '../../methods/row.ts'
import { Fault } from '../../protocol/fault.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import type { Permission } from '../../protocol/permission.ts'

/** Which kinds of caller have which access. A project token allows single methods besides, by its permissions. */
const GRANTS: Record<Caller['kind'], ReadonlySet<Access>> = {
  operator: new Set(['public', 'read', 'write', 'sync', 'run', 'operator']),
  open: new Set(['public', 'read', 'write', 'sync', 'run']),
  peer: new Set(['public', 'read', 'write', 'sync', 'run']),
  known: new Set(['public', 'read']),
  token: new Set(['public']),
  anonymous: new Set(['public']),
}

/** Who may use a method or a route. */
export interface AccessRule {
  /** Of the method or route, for the sentence of the refusal. */
  readonly name: string
  readonly access: Access
  readonly permission?: Permission | undefined
}

export function mayCall(caller: Caller, access: Access): boolean {
  return GRANTS[caller.kind].has(access)
}

/** Whether params may have the beginning of an id: only for reads, where a mistake changes nothing. */
export const mayShorten = ({ access }: Pick<AccessRule, 'access'>): boolean => access === 'read'

/** Why this caller may not make this call of a method; undefined when it may. */
export function refusalOf(
  caller: Caller,
  row: AccessRule,
  params: unknown,
  view: Pick<View, 'projects'>,
): Fault | undefined {
  if (mayCall(caller, row.access)) return undefined
  const refusal = refusalByRule(caller, row)
  if (refusal !== undefined) return refusal
  const word = isJsonObject(params) ? params['projectId'] : undefined
  if (word === undefined || meansGranted(word, caller, { row, view })) return undefined
  return new Fault('forbidden', `This token is for project ${caller.grant?.projectId} alone`, {
    next: `Leave projectId out to mean that project, or ask the operator here for a token of the other one: \`cacpd token issue --project PROJECT --permission ${row.permission}\``,
  })
}

/** Whether the word names the project of the token: by id, by name, or by the beginning of its id. */
function meansGranted(
  word: unknown,
  { grant }: Caller,
  { row, view }: { row: AccessRule; view: Pick<View, 'projects'> },
): boolean {
  const found = grant && view.projects.get(grant.projectId)
  if (word === grant?.projectId) return true
  if (found === undefined || typeof word !== 'string') return false
  return word.trim() === found.project.name || (mayShorten(row) && found.project.project_id.startsWith(word))
}

/** The same for a route, which names no project: it shows only what the caller may see. */
export function assertMayUse(caller: Caller, route: AccessRule): void {
  const refusal = mayCall(caller, route.access) ? undefined : refusalByRule(caller, route)
  if (refusal !== undefined) throw refusal
}

function refusalByRule(caller: Caller, { name, access, permission }: AccessRule): Fault | undefined {
  const { kind, grant, agentId } = caller
  if (kind === 'anonymous') return keyNeeded(name)
  if (grant === undefined)
    return new Fault('forbidden', `${agentId} may not call ${name}: it needs ${access} access`, {
      next: nextFor(access, caller, name),
    })
  if (permission === undefined)
    return new Fault('forbidden', `No project token opens ${name}`, { next: HOW_TO_GET_IN })
  if (grant.permissions.has(permission)) return undefined
  return new Fault('forbidden', `This token does not allow ${permission}, which ${name} needs`, {
    next: `Ask the operator here for one that does: \`${issueCommand({ project_id: grant.projectId, subject: agentId, permissions: [...grant.permissions, permission] })}\``,
  })
}

/** What a known caller can do to get this access. */
function nextFor(access: Access, { kind }: Caller, name: string): string {
  if (access !== 'operator')
    return 'Ask the operator here for an invite (`cacpd invite`), and run `cacpd join URL`'
  return kind === 'open'
    ? 'On the machine of this daemon send its operator key, which `cacpd key` prints'
    : `Ask the operator here to call ${name}, with the key that \`cacpd key\` prints on the machine of this daemon`
}

export function keyNeeded(what: string): Fault {
  return new Fault('unauthorized', `${what} needs a key`, { next: HOW_TO_GET_IN })
}

/** Part of every 401. */
export const HOW_TO_GET_IN =
  'On this machine run `cacpd key` in this repository and send the header Authorization: Bearer <key>; from another daemon, ask the operator here for an invite (`cacpd invite`) and run `cacpd join URL`'
