import type { Client } from '../../client.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { Permission } from '../../protocol/words.ts'
import { callAndPrint } from '../derive/call-method.ts'
import { rendered } from '../form/answer.ts'
import { command } from '../form/command.ts'
import { secondsIn } from '../output/duration.ts'
import { sameDaemon } from '../output/shell-word.ts'
import { UsageError } from '../program/report.ts'

const EXAMPLES = [
  "cacpd token issue --project 'User Auth' --permission project:read context:share --expires 2h",
  'cacpd token list',
  'cacpd token revoke 01934a7c-0000-7000-8000-000000000003',
]

/** The token alone on stdout, so that a script can take it from there. It is shown only now. */
const issue = command({
  about: 'make a token, and print it this once',
  options: {
    '--project <id|name>': { about: 'the project that it is for (required)', required: true },
    '--permission <name...>': {
      about:
        'what it allows (required): one or more of project:read, project:write, contract:propose, contract:respond, context:share, implementation:update, file:share',
      required: true,
    },
    '--agent <aid>':
      'whom its bearer acts as; to write, one that holds a repo there (default: the agent of this daemon)',
    '--expires <time>': { about: 'how long it works: 90s, 30m or 24h at most', default: '8h' },
  },
  examples: EXAMPLES,
  ask: ({ project, permission, agent: agentId, expires }) => {
    const expiresInSeconds = secondsIn(expires, { seconds: LIMITS.tokenSeconds, said: '24h' })
    const permissions = permission.flatMap((words) => words.split(',')).map(permissionNamed)
    return async (client) =>
      client.call('cacp/token/issue', {
        projectId: await projectNamed(project, client),
        permissions,
        expiresInSeconds,
        agentId,
      })
  },
  show: ({ token }) => token,
  hint: ({ tokenId, expiresAt }, { self }, { given }) =>
    `Send it as X-Project-Token: <token>. It works here until ${expiresAt}, and is not shown again; ` +
    `to end it before, run \`${self} token revoke ${tokenId}${sameDaemon(given)}\`.`,
})

const revoke = command({
  about: 'end a token at once',
  words: { '<id>': 'as `cacpd token list` shows it' },
  examples: ['cacpd token revoke 01934a7c-0000-7000-8000-000000000003'],
  run: (flags, terminal) =>
    callAndPrint({ method: 'cacp/token/revoke', params: { tokenId: flags.id }, flags, terminal }),
})

const list = command({
  about: 'show the tokens that were made here, without the tokens themselves',
  options: { '--project <id|name>': 'only those for this project' },
  examples: ["cacpd token list --project 'User Auth'"],
  ask:
    ({ project }) =>
    async (client) =>
      client.call(
        'cacp/token/list',
        project === undefined ? {} : { projectId: await projectNamed(project, client) },
      ),
  // What each allows is the point of the list, so it is spelt out.
  show: ({ tokens }, screen) =>
    rendered(
      { tokens: tokens.map((token) => ({ ...token, permissions: token.permissions.join(', ') })) },
      screen,
      { tokens: ['tokenId', 'status', 'expiresAt', 'permissions', 'projectId', 'agentId'] },
    ),
})

/** What a script or a guest may do in one project, for less than a day. */
export const token = command({
  about: 'tokens that allow some things in one project, here and for a while',
  examples: EXAMPLES,
  commands: { issue, revoke, list },
})

function permissionNamed(word: string): Permission {
  const known = Permission.safeParse(word)
  if (known.success) return known.data
  throw new UsageError(`--permission: ${word} is none of ${Permission.options.join(', ')}`)
}

const projectNamed = async (word: string, client: Client): Promise<string> =>
  (await client.call('cacp/lookup', { projectId: word })).projectId
