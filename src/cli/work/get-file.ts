import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { Sha256 } from '../../protocol/words.ts'
import { type OutputFlags, printResult, withDaemon } from '../derive/call-daemon.ts'
import type { Terminal } from '../output/terminal.ts'
import { withCommonOptions } from '../program/common-options.ts'
import { UsageError } from '../program/report.ts'

interface GetFlags extends OutputFlags {
  readonly output?: string | undefined
}

/** `cacpd file get SHA256`: the one command of its group that is no method. */
export function addGetFileCommand(group: Command, terminal: Terminal): void {
  withCommonOptions(group.command('get'))
    .description('Get a shared file, also one that only a peer has.')
    .argument('<sha256>', 'as `cacpd context list` shows it')
    .option('-o, --output <path>', 'where to save it (default: print its bytes)')
    .addHelpText('after', `\nExample:\n  cacpd file get ${'2cf24dba'.repeat(8)} -o hello.txt`)
    .action((sha256: string, flags: GetFlags) => getFile(sha256, flags, terminal))
}

async function getFile(sha256: string, flags: GetFlags, terminal: Terminal): Promise<void> {
  if (!Sha256.safeParse(sha256).success)
    throw new UsageError('sha256: must be the SHA-256 of a file, in lower-case hex')
  if (flags.output === '') throw new UsageError('--output: must not be empty')
  const bytes = await withDaemon(flags, terminal, (client) => client.download(sha256))
  if (flags.output === undefined) return terminal.print(bytes)
  const savedTo = resolve(terminal.cwd, flags.output)
  await saveWhole(savedTo, bytes)
  printResult({ sha256, size: bytes.length, savedTo }, flags, terminal)
}

/** What is at the path stays as it was until all of the new file is there. */
async function saveWhole(path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.${randomUUID()}.part`
  try {
    await writeFile(part, bytes, { flag: 'wx' })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw new Error(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
