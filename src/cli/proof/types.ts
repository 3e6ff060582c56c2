import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { staleness, stalenessLine, stampsIn } from '../../domain/types/stamp.ts'
import type { InForce, Language } from '../../domain/types/types.ts'
import { saveWhole } from '../../io/place/save-whole.ts'
import { contractsInForce } from '../documents/read-contracts.ts'
import { printResult } from '../form/answer.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, PROJECT } from '../form/options.ts'
import { withDaemon } from '../form/with-daemon.ts'
import { CommandError, UsageError } from '../program/report.ts'

const LANGUAGES = ['ts', 'python', 'go'] as const satisfies readonly Language[]

export const types = command({
  about: 'Write the types of all contracts in force: TypeScript, Python or Go.',
  options: {
    '--lang <language>': { about: 'the language', choices: LANGUAGES, required: true },
    '-o, --output <file>': 'where to write them (default: print them)',
    '--check': 'write nothing: exit with 1 if the file is not of what is in force, and say why',
    '--package <name>': 'name of the package, for Go (default: contracts)',
    ...PROJECT,
    ...AGENT_ID,
  },
  note: 'The same contracts give the same text. The lines at its top name each contract, its version and the hash of its content; --check compares these alone, so that another version of cacpd changes nothing.',
  examples: [
    'cacpd types --lang ts -o src/contracts.ts',
    'cacpd types --lang ts -o src/contracts.ts --check',
  ],
  run: async (given, terminal) => {
    const { lang, output, check, package: packageName, project } = given
    if (check === true && output === undefined) throw new UsageError('--check: name the file with --output')
    if (output === '') throw new UsageError('--output: must not be empty')
    if (packageName !== undefined && (lang !== 'go' || !/^[a-z][a-z0-9_]{0,60}$/.test(packageName)))
      throw new UsageError('--package: goes with --lang go, and must be small letters, digits and _')
    const contracts = await withDaemon(given, terminal, (client) => contractsInForce(client, project))
    const path = output === undefined ? undefined : resolve(terminal.cwd, output)
    if (check === true && path !== undefined) {
      await assertFresh(path, contracts, lang)
      return printResult({ status: 'fresh', contracts: contracts.length }, given, terminal)
    }
    const { typesOf } = await import('../../domain/types/types.ts')
    const text = typesOf(contracts, lang, { packageName })
    if (path === undefined) return terminal.print(text)
    await saveWhole(path, text)
    printResult({ savedTo: path, contracts: contracts.length }, given, terminal)
  },
})

/** Throws with what moved where the file is not of what is in force. */
async function assertFresh(path: string, contracts: readonly InForce[], lang: Language): Promise<void> {
  const { isMadeFor, stampOf } = await import('../../domain/types/types.ts')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw stale(`${path} cannot be read (${error.code})`, lang)
  })
  if (!isMadeFor(text, lang)) throw stale(`${path} was not made by cacpd types --lang ${lang}`, lang)
  const reasons = staleness(stampsIn(text), contracts.map(stampOf))
  if (reasons.length > 0) throw stale(stalenessLine(reasons), lang, reasons)
}

const stale = (message: string, lang: Language, reasons?: readonly string[]): CommandError =>
  new CommandError(
    message,
    'stale',
    `Write them anew: cacpd types --lang ${lang} -o FILE`,
    reasons && { reasons },
  )
