import type { Client } from '../../client.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { Permission } from '../../protocol/words.ts'
import { callAndPrint, type OutputFlags, printResult, withDaemon } from '../derive/call-daemon.ts'
import { secondsIn } from '../output/duration.ts'
import { sameDaemon } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

export interface IssueFlags extends OutputFlags {
  readonly project: string
  readonly agent?: string
  readonly permission: readonly string[]
  readonly expires: string
}

/** `cacpd token issue`: the token alone on stdout, so that a script can take it from there. It is shown only now. */
export async function issueToken(flags: IssueFlags, terminal: Terminal): Promise<void> {
  const expiresInSeconds = secondsIn(flags.expires, { seconds: LIMITS.tokenSeconds, said: '24h' })
  const permissions = flags.permission.flatMap((words) => words.split(',')).map(permissionNamed)
  const { token, ...issued } = await withDaemon({ data: flags.data }, terminal, async (client) =>
    client.call('cacp/token/issue', {
      projectId: await projectNamed(flags.project, client),
      permissions,
      expiresInSeconds,
      ...(flags.agent === undefined ? {} : { agentId: flags.agent }),
    }),
  )
  if (flags.json === true) printResult({ token, ...issued }, flags, terminal)
  else terminal.print(`${token}\n`)
  terminal.complain(
    `Send it as X-Project-Token: <token>. It works here until ${issued.expiresAt}, and is not shown again; ` +
      `to end it before, run \`${terminal.self} token revoke ${issued.tokenId}${sameDaemon(flags)}\`.\n`,
  )
}

/** `cacpd token revoke ID` */
export function revokeToken(tokenId: string, flags: OutputFlags, terminal: Terminal): Promise<void> {
  return callAndPrint({ method: 'cacp/token/revoke', params: { tokenId }, flags, terminal })
}

/** `cacpd token list [--project ID]` */
export async function listTokens(
  { project, ...flags }: OutputFlags & { project?: string },
  terminal: Terminal,
): Promise<void> {
  const listed = await withDaemon({ data: flags.data }, terminal, async (client) =>
    client.call(
      'cacp/token/list',
      project === undefined ? {} : { projectId: await projectNamed(project, client) },
    ),
  )
  const columns = { tokens: ['tokenId', 'status', 'expiresAt', 'permissions', 'projectId', 'agentId'] }
  // What each allows is the point of the list, so it is spelt out.
  const spelt = listed.tokens.map((token) => ({ ...token, permissions: token.permissions.join(', ') }))
  printResult(flags.json === true ? listed : { tokens: spelt }, { ...flags, columns }, terminal)
}

function permissionNamed(word: string): Permission {
  const known = Permission.safeParse(word)
  if (known.success) return known.data
  throw new UsageError(`--permission: ${word} is none of ${Permission.options.join(', ')}`)
}

const projectNamed = async (word: string, client: Client): Promise<string> =>
  (await client.call('cacp/lookup', { projectId: word })).projectId
