import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { adviceFor } from '../output/advice.ts'
import { quoted } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { reportMistake } from './mistake.ts'
import { createProgram } from './program.ts'
import { report, UsageError } from './report.ts'

export async function run(given: readonly string[], around: Terminal): Promise<number> {
  const json = given.includes('--json')
  let terminal = around
  try {
    const { words, terminal: there } = inFolder(given, around)
    terminal = there
    // Commander's own help command would show a group before its methods are loaded.
    const args =
      words[0] === 'help' ? [...words.slice(1), '--help'] : words.length === 0 ? ['first-run'] : words
    const program = createProgram(terminal)
    const isHelp = words[0] === 'help'
    if (words[0] === 'complete') {
      await (await import('./complete.ts')).offerWords(words.slice(2), program, terminal)
      return 0
    }
    if (isHelp && (await (await import('./help.ts')).showHelp(words.slice(1), program, terminal))) return 0
    await program
      .parseAsync(args, { from: 'user' })
      .catch((error: unknown) => reportMistake(error, program, args))
    return 0
  } catch (error) {
    const advice = json ? undefined : await adviceFor(error, given, terminal)
    return report(error, terminal, { json, advice })
  }
}

/** `cacpd -C FOLDER …` acts as if it were started there, for whoever cannot choose where it is started. */
function inFolder(words: readonly string[], terminal: Terminal) {
  const [flag, folder, ...rest] = words
  if (flag !== '-C' || folder === undefined) return { words, terminal }
  // A variable that nobody filled in stands for where the caller is already.
  const isName = !/^\$\{\w+\}$/.test(folder)
  if (isName && statSync(resolve(terminal.cwd, folder), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`-C: there is no folder ${resolve(terminal.cwd, folder)}`, 'Name one that exists')
  if (!isName) return { words: rest, terminal }
  // What is suggested to be done next is to be done there too.
  const self = `${terminal.self} -C ${quoted(folder)}`
  return { words: rest, terminal: { ...terminal, self, cwd: resolve(terminal.cwd, folder) } }
}
