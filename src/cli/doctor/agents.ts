import { findRoot } from '../../io/place/discover-repo.ts'
import { ownCommand } from '../../io/place/own-command.ts'
import { checkSetup, repairSetup } from '../../io/setup/check-setup.ts'
import { isLeft } from '../../io/setup/step.ts'
import { tryMcp } from '../../io/setup/try-mcp.ts'
import type { Terminal } from '../output/terminal.ts'
import { type Diagnosis, findingsOf, type Patient } from './diagnosis.ts'

export async function checkAgents(patient: Patient): Promise<Diagnosis[]> {
  const { ok, note, wrong } = findingsOf('agents')
  const { place, terminal } = patient
  const { root } = await findRoot(place.cwd)
  const state = await checkSetup(root, terminal.env)
  if (!state.isSetUp)
    return [
      note(
        'No coding agent of this repository is set up',
        'Set them up with `cacpd init`, or look first with `cacpd init --dry-run`',
      ),
    ]
  const names = state.agents.join(', ') || 'those that read AGENTS.md'
  if (state.findings.length === 0)
    return [
      ok(`Set up for ${names}${state.hooks.length > 0 ? ', with hooks' : ''}`),
      ...(await checkMcp(patient, root)),
    ]
  // All of it is put right at once.
  const first = state.findings.findIndex(({ isPaste }) => !isPaste)
  return state.findings.map(({ problem, fix }, index) => ({
    ...wrong(problem, fix),
    ...(index === first ? { repair: () => setUpAgain(root, terminal) } : {}),
  }))
}

/** Only where a daemon runs: else this would start one, and nothing is to be changed by looking. */
async function checkMcp({ daemon, terminal }: Patient, root: string): Promise<Diagnosis[]> {
  if (daemon === undefined) return []
  const { ok, wrong } = findingsOf('mcp')
  const own = await ownCommand(terminal.env)
  const words = [own.command, ...own.args, 'mcp'].join(' ')
  const problem = await tryMcp(own, { cwd: root, env: { ...terminal.env } })
  if (problem === undefined) return [ok(`\`${words}\` answers`)]
  return [
    wrong(
      `\`${words}\`, which coding agents start, does not answer: ${problem}`,
      `Run it in ${root} to see more; if cacpd was moved or updated, run \`cacpd init\` again`,
    ),
  ]
}

async function setUpAgain(root: string, { env }: Terminal): Promise<string> {
  const left = (await repairSetup(root, env)).filter(isLeft)
  if (left.length > 0) throw new Error(`Left as it is: ${left.map(({ path }) => path).join(', ')}`)
  return 'Set up the coding agents of this repository again'
}
