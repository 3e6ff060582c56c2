import { START_OPTIONS } from '../src/cli/daemon/start-options.ts'
import { variableOf } from '../src/config/config.ts'
import { KEYS, type Key, NEEDS_TRUST, Settings } from '../src/config/settings.ts'
import { GROUPS, SETTING_WORDS } from './settings-words.ts'

/** docs/settings.md, derived from the schema of the settings, the options of `cacpd start` and their words. */
export function settingsPage(): string {
  return [
    '# Settings',
    '',
    'What can be configured, where, and what holds if nobody says anything?',
    '',
    'Generated from the schema of the settings by `npm run docs`; do not edit.',
    '',
    'Flags of `cacpd start` and `cacpd up` go before environment variables, those before `config.json` in the data directory',
    '(or the file that `--config` or `CACP_CONFIG` names), those before defaults. The data directory itself is `--data` or',
    '`CACP_DATA`, else `.cacp` in the repository. A value that is not allowed, and a key in the file that is unknown, keep the',
    'daemon from starting, with a line that says where it came from and what is allowed.',
    '',
    'In a variable, true and false may also be 1 and 0, words and numbers of a list are separated by commas, and objects are',
    'JSON. An empty variable counts as none. In the file each is the JSON value itself; bytes are numbers of bytes.',
    '',
    '## What needs trust',
    '',
    'A repository that you clone may bring its `config.json` along. So what lets others in counts there only after',
    '`cacpd config trust`, which shows it and asks, once per machine and again whenever it changes:',
    `${[...NEEDS_TRUST].map((key) => `\`${key}\``).join(', ')}.`,
    'Without it the daemon does not start, and says why. The command under `agent` needs the same trust before it runs. Flags,',
    'variables and a file that you name with `--config` are your own word.',
    '',
    ...GROUPS.flatMap((group) => [
      `## ${group}`,
      '',
      '| `config.json` | flag | variable | default | what it is | must be |',
      '|---|---|---|---|---|---|',
      ...KEYS.filter((key) => SETTING_WORDS[key].group === group).map(row),
      '',
    ]),
  ].join('\n')
}

const FLAGS = new Map(
  Object.keys(START_OPTIONS)
    .map((option) => option.split(' ')[0] ?? option)
    .map((flag) => [camelCase(flag), flag]),
)

function row(key: Key): string {
  const flag = FLAGS.get(key)
  const { meaning, byDefault = defaultOf(key) } = SETTING_WORDS[key]
  const shape = inUnits(key, Settings.shape[key].description ?? '')
  const cells = [`\`${key}\``, flag ? `\`${flag}\`` : '', `\`${variableOf(key)}\``, byDefault, meaning, shape]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function defaultOf(key: Key): string {
  const value: unknown = Settings.shape[key].parse(undefined)
  if (typeof value === 'number') return inUnits(key, String(value))
  if (Array.isArray(value) && value.length > 0) return `\`${value.join(',')}\``
  const isNothing = value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  return isNothing ? 'none' : `\`${String(value)}\``
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** The numbers in a text as people read them: bytes in the largest unit that keeps them whole. */
const inUnits = (key: Key, text: string): string =>
  text.replace(/(?<![:\d])\d{4,}/g, (digits) => {
    let amount = Number(digits)
    if (!/Bytes/.test(key)) return amount.toLocaleString('en-US')
    let unit = 0
    for (; amount % 1024 === 0; unit++) amount /= 1024
    return `${amount} ${UNITS[unit]}`
  })

function camelCase(flag: string): string {
  return flag.replace(/^--/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
