import { parse } from 'node:path'
import { readText } from '../../io/outbound/read-body.ts'
import { type HookPlace, hook } from './hook.ts'

/** Together with the start of node a hook takes a second and a half at most. */
export const PATIENCE_MILLIS = 1300

const MOST_BYTES = 4 * 1024 * 1024

/**
 * Runs a hook without the rest of the command line, which would take longer to load than the hook to run. Never answers
 * 2: clients take that for an order to stop what they do.
 */
export async function runHook(words: readonly string[]): Promise<0 | 1> {
  try {
    await hook(words, processPlace())
    return 0
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n`)
    return 1
  }
}

function processPlace(): HookPlace {
  const { env, stdin, stdout } = process
  return {
    cwd: currentFolder(),
    env,
    readInput: (signal) => (stdin.isTTY ? Promise.resolve('') : inputUntil(signal)),
    print: (output) => void stdout.write(output),
    patienceMillis: PATIENCE_MILLIS,
  }
}

/** A working directory that was removed meanwhile belongs to no repository; a hook does not fail because of it. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return parse(process.execPath).root
  }
}

function inputUntil(signal: AbortSignal): Promise<string> {
  const { stdin } = process
  // An input that nobody closes would keep this process alive.
  signal.addEventListener('abort', () => stdin.destroy(), { once: true })
  return readText(stdin, MOST_BYTES)
}
