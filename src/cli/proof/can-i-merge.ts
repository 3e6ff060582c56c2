import type { Client } from '../../client.ts'
import { GRADES } from '../../domain/proof/evidence.ts'
import { findRoot } from '../../io/place/discover-repo.ts'
import type { ParamsOf } from '../../methods/table.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, PROJECT, secondsIn } from '../form/options.ts'
import { withDaemon } from '../form/with-daemon.ts'
import type { Terminal } from '../output/terminal.ts'
import { exitWith, UsageError } from '../program/report.ts'
import { describeGate, type Gate, githubGate, markdownGate } from './describe-gate.ts'

const FORMATS = ['text', 'json', 'markdown', 'github'] as const
const EXIT_CODES = { yes: 0, no: 1, unknown: 3 } as const
const MOST_WAITING = { seconds: 24 * 3600, said: '24h' }

export const canIMerge = command({
  about:
    'Say whether this repository may merge its part of the contracts. Exits with 0 for yes, with 1 for no, and with 3 if that is not known.',
  options: {
    ...PROJECT,
    '--contract <contract>': 'ID or name of one contract (default: all of the repository)',
    '--repo <name>': 'name of the repository (default: this one)',
    '--require <grade>': {
      about: 'how well a verification has to be founded (default: ran)',
      choices: GRADES,
    },
    '--wait <time>': 'wait so long for a yes or no, such as 10m',
    '--peer <url>': 'ask this daemon of another repository, where none runs here; with --token and --repo',
    '--token <token>': 'its project token with the permission gate:read (default: CACP_TOKEN)',
    '--format <format>': { about: 'how it is printed (default: text)', choices: FORMATS },
    ...AGENT_ID,
  },
  examples: [
    'cacpd can-i-merge --require ran --wait 10m',
    'cacpd can-i-merge --peer https://backend.example.com --repo frontend-app --format github',
  ],
  result: async (given, terminal) => {
    const { wait, peer, repo, project, contract, require } = given
    const seconds = wait === undefined ? 0 : secondsIn(wait, MOST_WAITING, '--wait')
    const params = { projectId: project, repo, contractId: contract, require }
    const ask = (client: Client) => askGate(client, params, seconds)
    return peer === undefined ? withDaemon(given, terminal, ask) : askPeer(given, ask, terminal)
  },
  show: (told, screen, { given: { format } }) => {
    if (format === 'markdown') return markdownGate(told)
    return format === 'github' ? githubGate(told) : describeGate(told, screen)
  },
  failure: ({ answer }) => exitWith(EXIT_CODES[answer]),
})

/** Waits for another answer than unknown where there is time. */
async function askGate(client: Client, params: ParamsOf<'cacp/gate/check'>, seconds: number): Promise<Gate> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const told = await client.call('cacp/gate/check', params)
    const left = Math.ceil((end - performance.now()) / 1000)
    if (told.answer !== 'unknown' || left <= 0) return told
    const { projectId, repo } = told
    const { contractId, require } = params
    const until = { gate: { projectId, repo, contractId, require } }
    await client.call('cacp/wait', { until, timeoutSeconds: Math.min(left, LONGEST_CALL) })
  }
}

/** In seconds: the longest that the daemon lets one call wait. */
const LONGEST_CALL = 600

/**
 * For a job without a daemon of its own: the daemon of another repository says what is agreed and verified, and the
 * files are those of the working copy.
 */
async function askPeer(
  { peer, token, repo }: Readonly<Record<'peer' | 'token' | 'repo', string | undefined>>,
  ask: (client: Client) => Promise<Gate>,
  { env, cwd }: Terminal,
): Promise<Gate> {
  const key = token ?? env['CACP_TOKEN']
  if (key === undefined || key === '')
    throw new UsageError(
      '--token: is missing',
      'Have one issued there: cacpd token issue --permission gate:read',
    )
  if (repo === undefined) throw new UsageError('--repo: name the repository that wants to merge')
  const { connect } = await import('../../client.ts')
  await using client = await connect({ url: peer, key })
  const told = await ask(client)
  const { compareFiles } = await import('./working-copy.ts')
  return compareFiles(told, (await findRoot(cwd)).root)
}
