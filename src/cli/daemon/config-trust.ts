import { type Config, loadConfig } from '../../config/config.ts'
import { type Key, SECRET } from '../../config/settings.ts'
import { isTrusted, trust } from '../../io/identity/trusted.ts'
import { locateDataDir } from '../../io/place/find-daemon.ts'
import { type AgentSettings, hasCommand } from '../../protocol/agent/settings.ts'
import { mapValues } from '../../protocol/collections/map-values.ts'
import { command } from '../form/command.ts'
import { printable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

const TRUSTED =
  'Trusted on this machine, until it changes. A daemon that is running takes new settings at its next start.'

const trustSettings = command({
  about: 'let config.json name a command to run, and open the daemon to others',
  options: {
    '--config <file>': 'settings (default: config.json in the data directory)',
    '--yes': 'do not ask',
  },
  examples: ['cacpd config trust'],
  run: async (flags, terminal) => {
    const { env, cwd } = terminal
    const data = await locateDataDir({ dataDir: flags.data, env, cwd }).catch(() => undefined)
    const named = { data, config: flags.config }
    const config = await loadConfig({ flags: named, env, cwd, isOnlyLook: true })
    const wishes = wishesOf(config)
    if (wishes.length === 0)
      throw new UsageError(
        `${config.dataDir} has nothing to trust: its config.json neither names a command, as {"agent": {"command": ["my-agent", "--print"]}} does, nor lets others in`,
      )
    const isKnown = await Promise.all(
      wishes.map(({ matter, settings }) => isTrusted(matter, settings, config)),
    )
    const open = wishes.filter((_, index) => isKnown[index] !== true)
    if (open.length > 0) {
      if (flags.json !== true) for (const { told } of open) terminal.print(`${told}\n`)
      if (!(await isAgreed(flags, terminal)))
        throw new UsageError('Nothing was changed: say --yes to let this daemon do so')
      for (const { matter, settings } of open) await trust(matter, settings, config)
    }
    const shown = Object.fromEntries(wishes.map((wish) => [wish.matter, wish.shown]))
    const result = { trusted: true, data: config.dataDir, ...shown }
    const words = open.length === 0 ? 'It was trusted before.' : TRUSTED
    terminal.print(`${flags.json === true ? JSON.stringify(result) : words}\n`)
  },
})

export const config = command({
  about: 'what the settings of this repository may do on this machine',
  examples: ['cacpd config trust'],
  commands: { trust: trustSettings },
})

/**
 * What in the settings counts only where it is trusted; `told` for somebody who decides on it, and `shown` as JSON are
 * both without secrets.
 */
function wishesOf({ agent, opening, root }: Config) {
  const shown = mapValues<unknown, unknown>(opening, (value, key) =>
    SECRET.has(key as Key) ? Object.keys(Object(value)) : value,
  )
  return [
    ...(hasCommand(agent)
      ? [{ matter: 'agent' as const, settings: agent, told: describeAgent(agent, root), shown: agent }]
      : []),
    ...(Object.keys(opening).length > 0
      ? [{ matter: 'opening' as const, settings: opening, told: describeOpening(shown, root), shown }]
      : []),
  ]
}

async function isAgreed(
  { yes, json }: { readonly yes: boolean | undefined; readonly json?: boolean | undefined },
  { ask }: Terminal,
): Promise<boolean> {
  if (yes === true) return true
  if (ask === undefined || json === true) return false
  return /^y(?:es)?$/i.test((await ask('Let the daemon of this repository do so? [y/N] ')).trim())
}

/** Every word in quotes, so that nothing hides in them. */
function describeAgent({ command, commands, output, allow }: AgentSettings, root: string): string {
  const line = (work: string, words: readonly string[]) =>
    `  ${work}: ${words.map((word) => JSON.stringify(printable(word))).join(' ')}`
  return [
    `It runs commands in ${root}:`,
    ...(command === undefined ? [] : [line('all work', command)]),
    ...Object.entries(commands).map(([work, words]) => line(printable(work), words)),
    `  its output is read as ${output}; besides you it may be used by ${allow.length === 0 ? 'nobody' : allow.join(', ')}`,
  ].join('\n')
}

function describeOpening(shown: object, root: string): string {
  const lines = Object.entries(shown).map(([key, value]) => `  ${key}: ${printable(JSON.stringify(value))}`)
  return [`It lets others in at the daemon of ${root}:`, ...lines].join('\n')
}
