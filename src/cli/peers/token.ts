import { LIMITS } from '../../protocol/limits.ts'
import { Permission } from '../../protocol/permission.ts'
import { type GroupForm, methodForm } from '../derive/method-form.ts'
import { secondsIn } from '../form/options.ts'
import { sameDaemon } from '../output/shell-word.ts'

/** The token alone on stdout, so that a script can take it from there. It is shown only now. */
const issue = methodForm('cacp/token/issue', {
  only: ['projectId'],
  options: {
    '--permission <name...>': {
      about: `what it allows (required): one or more of ${Permission.options.join(', ')}`,
      required: true,
    },
    '--agent <aid>':
      'whom its bearer acts as; to write, one that holds a repo there (default: the agent of this daemon)',
    '--expires <time>': { about: 'how long it works: 90s, 30m or 24h at most', default: '8h' },
  },
  examples: ["cacpd token issue --project 'User Auth' --permission project:read context:share --expires 2h"],
  adjust: (params, { permission, agent: agentId, expires }) => ({
    ...params,
    agentId,
    permissions: permission.flatMap((words) => words.split(',')),
    expiresInSeconds: secondsIn(expires, { seconds: LIMITS.tokenSeconds, said: '24h' }),
  }),
  show: ({ token }) => token,
  hint: ({ tokenId, expiresAt }, { self }, { given }) =>
    `Send it as X-Project-Token: <token>. It works here until ${expiresAt}, and is not shown again; ` +
    `to end it before, run \`${self} token revoke ${tokenId}${sameDaemon(given)}\`.`,
})

/** What a script or a guest may do in one project, for less than a day. */
export const token: GroupForm = { methods: { issue } }
