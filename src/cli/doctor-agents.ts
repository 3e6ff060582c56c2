import { findRoot } from '../io/discover-repo.ts'
import { checkSetup, type SetupState } from '../io/setup/check-setup.ts'
import type { Diagnosis, Patient } from './diagnosis.ts'
import type { InitFlags } from './init.ts'
import type { Terminal } from './terminal.ts'

const CHECK = 'agents'
const BY_INIT = 'Run `cacpd init`'

export async function checkAgents({ place, terminal }: Patient): Promise<Diagnosis[]> {
  const { root } = await findRoot(place.cwd)
  const state = await checkSetup(root, terminal.env)
  if (!state.isSetUp)
    return [
      {
        check: CHECK,
        verdict: 'note',
        message: 'No coding agent of this repository is set up',
        fix: 'Set them up with `cacpd init`, or look first with `cacpd init --dry-run`',
      },
    ]
  const names = state.agents.join(', ') || 'those that read AGENTS.md'
  if (state.findings.length === 0)
    return [
      {
        check: CHECK,
        verdict: 'ok',
        message: `Set up for ${names}${state.hooks.length > 0 ? ', with hooks' : ''}`,
      },
    ]
  const found = state.findings.map(
    ({ problem, fix }): Diagnosis => ({ check: CHECK, verdict: 'wrong', message: problem, fix }),
  )
  // All of it is put right at once.
  const first = found.findIndex(({ fix }) => fix === BY_INIT)
  return found.map((one, index) =>
    index === first ? { ...one, repair: () => setUpAgain(state, { ...terminal, cwd: root }) } : one,
  )
}

async function setUpAgain({ agents, hooks }: SetupState, terminal: Terminal): Promise<string> {
  const { init } = await import('./init.ts')
  const flags: InitFlags = {
    here: true,
    ...(agents.length > 0 ? { agents: agents.join(',') } : {}),
    // Those that somebody left out on purpose stay so.
    hooks: hooks.length > 0 && hooks.length === agents.length,
  }
  await init(flags, { ...terminal, print: () => {} })
  return 'Set up the coding agents of this repository again'
}
