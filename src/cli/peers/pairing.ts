import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../../client.ts'
import type { ResultOf } from '../../methods/table.ts'
import { classOfHost } from '../../protocol/address-class.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { namesFor } from '../derive/known-names.ts'
import { command } from '../form/command.ts'
import { secondsIn } from '../form/options.ts'
import { type OutputFlags, withDaemon } from '../form/with-daemon.ts'
import { nextLine } from '../output/next-line.ts'
import { printableLine } from '../output/printable.ts'
import { sameDaemon } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

/** Between two looks at what has changed. */
const LOOK_MILLIS = 200
/** How long the project of an invite may take to arrive. */
const ARRIVAL_MILLIS = 15_000
/** How long is waited for projects that name this repository, of which there may be none. */
const NAMED_MILLIS = 2000

/** The URL stands alone on stdout, so that a script can take it from there. */
export const invite = command({
  about: 'print a URL that lets one other daemon in, once',
  options: {
    '--project <id|name>': 'project in which the newcomer gets its repo at once',
    '--repo <name>': 'the repo it gets, and goes by here (default: what it calls itself)',
    '--expires <time>': { about: 'how long the URL works: 90s, 30m, 24h or 7d', default: '24h' },
    '--replace <peer>': 'let it take the place of this agent, with its repos and without its keys',
    '--wait': 'stay until the URL was used, and show the words that both sides see',
  },
  examples: [
    'cacpd invite',
    "cacpd invite --project 'User Auth' --repo frontend-app --expires 30m",
    'cacpd invite --replace aid://laptop/frontend@1.0.0    # its laptop was wiped',
  ],
  run: async (flags, terminal) => {
    const { project: word, repo: repoName, expires, replace: replaces } = flags
    const there = sameDaemon(flags)
    const expiresSeconds = secondsIn(expires, { seconds: LIMITS.inviteSeconds, said: '30d' })
    await withDaemon(flags, terminal, async (client) => {
      const project = word && (await client.call('cacp/lookup', { projectId: word })).projectId
      const made = await client.call('cacp/invite/create', { expiresSeconds, project, repoName, replaces })
      terminal.print(`${flags.json === true ? JSON.stringify(made) : made.url}\n`)
      terminal.complain(
        `This lets one daemon in, once, until ${made.expiresAt}. In the other repository: cacpd join '<URL>'\n`,
      )
      if (classOfHost(new URL(made.url).hostname) === 'loopback')
        terminal.complain('It works on this machine only; others need a daemon with --public-url.\n')
      if (flags.wait === true) await untilUsed(made.inviteId, client, terminal, there)
      else
        terminal.complain(
          `Then \`${terminal.self} peers${there}\` shows six words that both sides must see alike.\n`,
        )
    })
  },
})

async function untilUsed(inviteId: string, client: Client, terminal: Terminal, there: string): Promise<void> {
  const before = new Set((await fingerprintsAt(client)).keys())
  for (;;) {
    const { invites } = await client.call('cacp/invite/list', {})
    const made = invites.find((one) => one.inviteId === inviteId)
    if (made === undefined || Date.parse(made.expiresAt) < Date.now())
      throw new Error('Nobody used the invite while it was valid')
    if (made.isUsed) break
    await wait(LOOK_MILLIS)
  }
  const added = [...(await fingerprintsAt(client))].filter(([fingerprint]) => !before.has(fingerprint))
  for (const [fingerprint, repoName] of added)
    terminal.complain(`Paired with ${printableLine(repoName)}: ${fingerprint}\n`)
  if (added.length === 0)
    terminal.complain(
      `Used, by one that was paired before: \`${terminal.self} peers${there}\` shows the words\n`,
    )
}

async function fingerprintsAt(client: Client): Promise<Map<string, string>> {
  const { peers } = await client.call('cacp/peer/list', {})
  return new Map(
    peers.flatMap(({ fingerprint, repoName }) => (fingerprint === null ? [] : [[fingerprint, repoName]])),
  )
}

export const join = command({
  about: 'use an invite: connect with the daemon that made it, both ways',
  words: { '[url]': 'what `cacpd invite` printed; - for stdin (default: the variable CACP_INVITE)' },
  note: `What stands in a command line is seen by all users of this machine while the command runs, and kept by your shell.
The URL works only once, so that is rarely a problem; where it is, paste it into stdin.`,
  examples: ["cacpd join 'http://127.0.0.1:8080/pair#…'", 'cacpd join -'],
  run: async (flags, terminal) => {
    const url = await urlFrom(flags.url, terminal)
    await withDaemon(flags, terminal, async (client, { endpoint }) => {
      const joined = await client.call('cacp/peer/join', { url })
      const projectName = await nameWhenClaimed(joined, endpoint.agentId, client)
      const isJson = flags.json === true
      terminal.print(
        `${isJson ? JSON.stringify({ ...joined, projectName }) : describe(joined, projectName)}\n`,
      )
      if (joined.projectId === null && !isJson)
        terminal.complain(await projectsToJoin(client, flags, terminal))
      if (joined.projectId !== null && projectName === null)
        terminal.complain(
          `next: The project has not arrived yet; \`${terminal.self} peers${sameDaemon(flags)}\` shows what it waits for\n`,
        )
    })
  },
})

async function urlFrom(given: string | undefined, terminal: Terminal): Promise<string> {
  const text = given === '-' ? await terminal.readInput() : (given ?? terminal.env['CACP_INVITE'] ?? '')
  if (text.trim() !== '') return text.trim()
  throw new UsageError('url: give what `cacpd invite` printed, or - and paste it into stdin')
}

type Joined = ResultOf<'cacp/peer/join'>

/** The name of the project as soon as it is here with its repo claimed for us; null when that takes too long. */
async function nameWhenClaimed({ projectId, claimedRepo }: Joined, agentId: string, client: Client) {
  if (projectId === null) return null
  const end = Date.now() + ARRIVAL_MILLIS
  while (Date.now() < end) {
    const found = await client.call('cacp/project/get', { projectId }).catch(() => undefined)
    const isOurs = found?.repos.some((repo) => repo.name === claimedRepo && repo.agent_id === agentId)
    if (found !== undefined && isOurs === true) return found.name
    await wait(LOOK_MILLIS)
  }
  return null
}

/** An invite without a project claims no repo: the projects that name this repository are joined by a call each. */
async function projectsToJoin(client: Client, { data }: OutputFlags, { self }: Terminal): Promise<string> {
  const end = Date.now() + NAMED_MILLIS
  for (;;) {
    const { items } = await client.call('cacp/inbox/list', {})
    const named = items.filter(({ kind }) => kind === 'join_project')
    if (named.length > 0) {
      const calls = named.map(({ next }) => next)
      const wording = { self, names: await namesFor(client, calls) }
      const lines = named.map(
        ({ projectName, next }) => `  ${projectName}: ${nextLine(next, { data }, wording)}`,
      )
      return ['These projects name this repository; to join one:', ...lines, ''].map(printableLine).join('\n')
    }
    if (Date.now() > end)
      return `Projects that name this repository come into \`${self} inbox${sameDaemon({ data })}\`\n`
    await wait(LOOK_MILLIS)
  }
}

function describe(joined: Joined, projectName: string | null): string {
  const lines = [
    `Paired with ${joined.repoName} (${joined.agentId}).`,
    `The other side must see the same words: ${joined.fingerprint}`,
    ...(projectName === null
      ? []
      : [`Project ${projectName} is here, and its repo ${joined.claimedRepo} is yours.`]),
  ]
  return lines.map(printableLine).join('\n')
}
