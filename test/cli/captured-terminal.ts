import type { Terminal } from '../../src/cli/output/terminal.ts'
import { run } from '../../src/cli/program/run.ts'

export interface Outcome {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/** Runs a command line in this process and keeps what it said. */
export async function cacpd(
  words: readonly string[],
  { input = '', ...place }: Partial<Terminal> & { input?: string } = {},
): Promise<Outcome> {
  let out = ''
  let err = ''
  const exitCode = await run(words, {
    cwd: '/',
    env: {},
    self: 'cacpd',
    colour: false,
    width: Number.POSITIVE_INFINITY,
    print: (text) => {
      out += text
    },
    complain: (text) => {
      err += text
    },
    readInput: async () => input,
    ...place,
  })
  return { exitCode, out, err }
}
