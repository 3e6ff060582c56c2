import { resolve } from 'node:path'
import { saveWhole } from '../../io/place/save-whole.ts'
import { Sha256 } from '../../protocol/words.ts'
import type { GroupForm } from '../derive/method-form.ts'
import { printResult } from '../form/answer.ts'
import { command } from '../form/command.ts'
import { withDaemon } from '../form/with-daemon.ts'
import { UsageError } from '../program/report.ts'

/** The one command of its group that is no method. */
const get = command({
  about: 'Get a shared file, also one that only a peer has.',
  words: { '<sha256>': 'as `cacpd context list` shows it' },
  options: { '-o, --output <path>': 'where to save it (default: print its bytes)' },
  examples: [`cacpd file get ${'2cf24dba'.repeat(8)} -o hello.txt`],
  run: async (flags, terminal) => {
    const { sha256, output } = flags
    if (!Sha256.safeParse(sha256).success)
      throw new UsageError('sha256: must be the SHA-256 of a file, in lower-case hex')
    if (output === '') throw new UsageError('--output: must not be empty')
    const bytes = await withDaemon(flags, terminal, (client) => client.download(sha256))
    if (output === undefined) return terminal.print(bytes)
    const savedTo = resolve(terminal.cwd, output)
    await saveWhole(savedTo, bytes)
    printResult({ sha256, size: bytes.length, savedTo }, flags, terminal)
  },
})

export const file: GroupForm = { commands: { get } }
