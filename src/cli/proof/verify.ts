import type { Client } from '../../client.ts'
import { OUTPUT_LENGTH } from '../../domain/proof/evidence.ts'
import { type CommandEnd, watchCommand } from '../../io/runner/watched-command.ts'
import { shellLine } from '../../setup/service/shell-line.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, PROJECT } from '../form/options.ts'
import { withDaemon } from '../form/with-daemon.ts'
import { ExitWith, UsageError } from '../program/report.ts'

export const verify = command({
  about:
    'Run a command that tries whether the parts of the contracts work together, and say what it showed. Exits as the command does.',
  words: { '<command...>': 'behind --: the command, such as npm run e2e' },
  options: {
    ...PROJECT,
    '--contract <contract...>':
      'IDs or names of the contracts that it tries (default: all that are implemented)',
    '--notes <text>': 'what else there is to say',
    ...AGENT_ID,
  },
  examples: ['cacpd verify -- npm run e2e', "cacpd verify --contract 'Get User' -- pytest tests/e2e"],
  run: async (given, terminal) => {
    const { command: words, project, contract, notes = '' } = given
    const targets = await withDaemon(given, terminal, (client) => targetsOf(client, project, contract))
    const ended = await watchCommand({
      words,
      cwd: terminal.cwd,
      env: terminal.env,
      tailLength: OUTPUT_LENGTH,
      print: (text) => terminal.complain(text.toString()),
    })
    const result = ended.exitCode === 0 ? 'success' : 'failure'
    const evidence = [evidenceOf(words, ended)]
    await withDaemon(given, terminal, async (client) => {
      for (const { name, ...target } of targets) {
        const answer = await client.call('cacp/implementation/verify', { ...target, result, notes, evidence })
        terminal.print(`${name}: ${answer.status}, contract is ${answer.contractStatus}\n`)
      }
    })
    if (ended.exitCode !== 0) throw new ExitWith(ended.exitCode)
  },
})

interface Target {
  readonly projectId: string
  readonly contractId: string
  readonly name: string
}

/** Looked for before the command runs: what cannot be told anybody need not be tried. */
async function targetsOf(
  client: Client,
  project: string | undefined,
  named: readonly string[] = [],
): Promise<readonly Target[]> {
  if (named.length > 0) {
    const { projectId, contractIds } = await client.call('cacp/lookup', {
      projectId: project,
      contracts: [...named],
    })
    return contractIds.map((contractId, index) => ({
      projectId,
      contractId,
      name: named[index] ?? contractId,
    }))
  }
  const { projectId, rows } = await client.call('cacp/gate/check', { projectId: project })
  const tried = rows.filter(({ code }) => VERIFIABLE.has(code))
  if (tried.length > 0) return tried.map(({ contractId, name }) => ({ projectId, contractId, name }))
  throw new UsageError(
    'No contract is implemented by all of its parties, so there is nothing to verify',
    'See what is missing: cacpd can-i-merge',
  )
}

/** What the gate says of contracts whose parts are all complete. */
const VERIFIABLE = new Set(['fits', 'not_verified', 'stale', 'no_evidence', 'own_file_moved'])

const evidenceOf = (words: readonly string[], { exitCode, durationMs, sha256, tail }: CommandEnd) => ({
  kind: 'run' as const,
  command: shellLine(words, false).slice(0, 1000),
  exitCode,
  durationMs,
  output: { sha256, tail },
})
