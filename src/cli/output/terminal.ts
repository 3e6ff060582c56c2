import { basename, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'

/** What the commands know of the world around them; tests put another one in its place. */
export interface Terminal {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** How this program is called here, so that the commands it suggests can be pasted. */
  readonly self: string
  readonly colour: boolean
  /** Columns that a line may take. */
  readonly width: number
  /** The result: text, or the bytes of a file. */
  print(output: string | Uint8Array): void
  /** For people beside the result: errors and hints. */
  complain(text: string): void
  /** Whether stderr is a terminal, so that somebody sees progress as it is written. */
  readonly isWatched?: boolean
  readInput(): Promise<string>
  /** Shows a page in the user's browser, and says whether it could; left out where there is none. */
  openPage?(url: string): Promise<boolean>
  /** Asks the user; left out where input or output is no terminal. */
  ask?(question: string): Promise<string>
}

const USUAL_WIDTH = 80

export function processTerminal(): Terminal {
  const { stdout, stderr, stdin, env } = process
  const cwd = process.cwd()
  return {
    cwd,
    env,
    self: invocation(process.argv[1] ?? 'cacpd', cwd),
    colour: stdout.isTTY && !env['NO_COLOR'],
    // A terminal that does not know how wide it is says 0.
    width: stdout.isTTY ? stdout.columns || USUAL_WIDTH : Number.POSITIVE_INFINITY,
    print: (output) => void stdout.write(output),
    complain: (line) => void stderr.write(line),
    isWatched: stderr.isTTY === true,
    readInput: () => text(stdin),
    openPage: async (url) => (await import('../../io/ui/open-browser.ts')).openBrowser(url, env),
    ...(stdin.isTTY && stdout.isTTY ? { ask: askAt(stdin, stdout) } : {}),
  }
}

function askAt(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
  return async (question: string): Promise<string> => {
    const lines = createInterface({ input, output })
    try {
      return await lines.question(question)
    } finally {
      lines.close()
    }
  }
}

/** Installed it is `cacpd`; in a checkout the launcher has to be run by node. */
function invocation(script: string, cwd: string): string {
  if (basename(script) === 'cacpd') return 'cacpd'
  const path = relative(cwd, script)
  return `node ${path.startsWith('..') ? script : path}`
}
