import { resolve } from 'node:path'
import type { HubReport } from '../../methods/peers/hub.ts'
import { type GroupForm, methodForm, type Params } from '../derive/method-form.ts'
import { printableLine } from '../output/printable.ts'
import { renderRows } from '../output/render.ts'
import { type Screen, timeOn } from '../output/screen.ts'
import type { Terminal } from '../output/terminal.ts'
import { ExitWith } from '../program/report.ts'
import { refusals, section } from './describe-peers.ts'

/** The daemon may run in another folder than this command. */
function withWholePaths(params: Params, { cwd }: Terminal): Params {
  const files = ['creds', 'nkey', 'tlsCa'].flatMap((key) => {
    const file = params[key]
    return typeof file === 'string' ? [[key, resolve(cwd, file)]] : []
  })
  return { ...params, ...Object.fromEntries(files) }
}

const connect = methodForm('cacp/hub/connect', {
  words: [
    {
      form: '[url]',
      about: 'where it is: nats://HOST:PORT or tls://HOST:PORT; of a cluster several, separated by commas',
      param: 'url',
      missing: 'url: say where the hub is, as in `cacpd hub connect nats://127.0.0.1:4222`',
    },
  ],
  note: `It is tried first: what cannot be reached is not saved. What is saved counts for this daemon at once and at its next
starts. Beyond this machine only over TLS.`,
  examples: [
    'cacpd hub connect nats://127.0.0.1:4222',
    'cacpd hub connect tls://hub.example:4222 --org acme --nkey backend.nk --tls-ca ca.pem',
  ],
  adjust: (params, _, terminal) => withWholePaths(params, terminal),
  show: ({ url, org, server, version, isEncrypted, streams }) => {
    const messages = streams.reduce((sum, stream) => sum + stream.messages, 0)
    const how = isEncrypted ? 'over TLS' : 'without TLS'
    return `Connected with ${printableLine(url)} ${how}: nats-server ${printableLine(version)} (${printableLine(server)}), organisation ${org}, ${messages} messages.`
  },
  hint: ({ status }, { self }) =>
    status === 'connected'
      ? undefined
      : `next: It lacks the streams of the organisation. Make them once: ${self} hub init`,
})

const init = methodForm('cacp/hub/init', {
  note: 'Run it once for an organisation, or again to change the limits. Credentials other than those of this daemon are used for this alone.',
  examples: ['cacpd hub init', 'cacpd hub init --replicas 3 --nkey admin.nk'],
  adjust: (params, _, terminal) => withWholePaths(params, terminal),
})

const disconnect = methodForm('cacp/hub/disconnect', { examples: ['cacpd hub disconnect'] })

const status = methodForm('cacp/hub/status', {
  note: 'Exit code 1 when something keeps the daemon from its hub.',
  examples: ['cacpd hub status', 'cacpd hub status --json'],
  show: ({ hub }, screen) =>
    hub === null ? `none; to use one: ${screen.self} hub connect URL` : describeHub(hub, screen),
  failure: ({ hub }) => (hub !== null && isKeptAway(hub) ? new ExitWith(1) : undefined),
})

export const hub: GroupForm = { methods: { connect, init, disconnect, status } }

/** No connection, and a reason for it. */
export const isKeptAway = ({ state, troubles }: Pick<HubReport, 'state' | 'troubles'>): boolean =>
  state === 'connecting' && troubles.length > 0

/** In one line: where it is, and how far the daemon is with it. */
export function hubLine({ url, state, unread, unoffered, troubles }: HubReport): string {
  const [first] = troubles
  const far =
    state === 'reading' && unread !== null
      ? `reading, ${unread} messages behind`
      : state === 'offering'
        ? `offering ${unoffered} statements`
        : state
  return printableLine(`${url}, ${far}${first === undefined ? '' : `: ${first.message}`}`)
}

function describeHub(report: HubReport, screen: Screen): string {
  const { org, troubles, refusedHere, refusedThere, waiting, projects, lastSeen } = report
  const travelling = projects.map(({ name, visibility, travels }) => ({
    project: name,
    visibility,
    travels: travels ? 'yes' : 'no',
  }))
  return [
    `${hubLine({ ...report, troubles: [] })}; organisation ${org}; last seen ${lastSeen === null ? 'never' : timeOn(screen, lastSeen)}`,
    ...section(
      'what is wrong:',
      troubles.flatMap(({ message, next, since }) => [
        printableLine(`${message} (since ${timeOn(screen, since)})`),
        printableLine(`next: ${next}`),
      ]),
      screen,
    ),
    ...section('not taken from it:', refusals(refusedHere, 40, screen), screen),
    ...section('not taken by it:', refusals(refusedThere, 40, screen), screen),
    ...section(
      'waiting for what nobody has sent yet:',
      waiting.count === 0 ? [] : [waiting.count === 1 ? '1 statement' : `${waiting.count} statements`],
      screen,
    ),
    ...(travelling.length === 0 ? [] : ['', renderRows(travelling, screen)]),
  ].join('\n')
}
