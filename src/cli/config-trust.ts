import { loadConfig } from '../config.ts'
import { isAgentTrusted, trustAgent } from '../io/agent-trust.ts'
import { locateDataDir } from '../io/find-daemon.ts'
import { type AgentSettings, hasCommand } from '../protocol/agent-settings.ts'
import { type OutputFlags, printResult } from './call-daemon.ts'
import { printable } from './printable.ts'
import { UsageError } from './report.ts'
import type { Terminal } from './terminal.ts'

export interface TrustFlags extends OutputFlags {
  readonly config?: string
  readonly yes?: boolean
}

const TRUSTED =
  'Trusted on this machine, until it changes. A daemon that is running takes new settings at its next start.'

/** `cacpd config trust`: lets this machine run the agent's command that the repository's settings name. */
export async function trustConfig(flags: TrustFlags, terminal: Terminal): Promise<void> {
  const { env, cwd } = terminal
  const data = await locateDataDir({ dataDir: flags.data, env, cwd }).catch(() => undefined)
  const config = await loadConfig({
    flags: {
      ...(data === undefined ? {} : { data }),
      ...(flags.config === undefined ? {} : { config: flags.config }),
    },
    env,
    cwd,
  })
  const { agent } = config
  if (!hasCommand(agent))
    throw new UsageError(
      `${config.dataDir} configures no agent command: set agent.command in config.json first, for example {"agent": {"command": ["my-agent", "--print"]}}`,
    )
  const wasTrusted = await isAgentTrusted(agent, config)
  if (!wasTrusted) {
    if (flags.json !== true) terminal.print(`${describeAgent(agent, config.root)}\n`)
    if (!(await isAgreed(flags, terminal)))
      throw new UsageError('Nothing was changed: say --yes to let this daemon run it')
    await trustAgent(agent, config)
  }
  if (flags.json === true) printResult({ trusted: true, data: config.dataDir, agent }, flags, terminal)
  else terminal.print(`${wasTrusted ? 'It was trusted before.' : TRUSTED}\n`)
}

async function isAgreed({ yes, json }: TrustFlags, { ask }: Terminal): Promise<boolean> {
  if (yes === true) return true
  if (ask === undefined || json === true) return false
  return /^y(?:es)?$/i.test((await ask('Let the daemon of this repository run it? [y/N] ')).trim())
}

/** Every word in quotes, so that nothing hides in them. */
function describeAgent({ command, commands, output, allow }: AgentSettings, root: string): string {
  const line = (work: string, words: readonly string[]) =>
    `  ${work}: ${words.map((word) => JSON.stringify(printable(word))).join(' ')}`
  return [
    `In ${root}:`,
    ...(command === undefined ? [] : [line('all work', command)]),
    ...Object.entries(commands).map(([work, words]) => line(printable(work), words)),
    `  its output is read as ${output}; besides you it may be used by ${allow.length === 0 ? 'nobody' : allow.join(', ')}`,
  ].join('\n')
}
