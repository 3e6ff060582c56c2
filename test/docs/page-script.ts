import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Block } from './markdown.ts'

/** One command of a page, or one block of commands. */
export interface Step {
  readonly command: string
  /** What the page shows below it; undefined where it shows nothing, and so promises nothing. */
  readonly output: string | undefined
}

/**
 * What a page tells its reader to run: a `console` block is commands (`$ …`), each with its output; an `sh` block is
 * commands alone. What is marked, such as `sh example`, has parts that are the reader's to fill in.
 */
export function stepsOf(blocks: readonly Block[]): Step[] {
  return blocks.filter(isExecuted).flatMap(({ language, text: block }): Step[] => {
    if (language === 'sh') return [{ command: block, output: undefined }]
    return block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...output] = step.trimEnd().split('\n')
        return { command, output: output.join('\n') }
      })
  })
}

export const isExecuted = ({ language, mark }: Pick<Block, 'language' | 'mark'>): boolean =>
  (language === 'console' || language === 'sh') && mark === ''

/** Every step with what it printed, in one shell; a step that fails ends it. */
export async function outputsOf(steps: readonly Step[], place: Place): Promise<Step[]> {
  const { url = USUAL_URL, ports = [] } = place
  const commands = steps.map(({ command }) =>
    ports.reduce((text, [port, free]) => text.replaceAll(port, free), command.replaceAll(USUAL_URL, url)),
  )
  const script = commands.map((command) => `printf '\\x1e'\n${command}`).join('\n')
  const outputs = (await outputOf(STRICT_CURL + script, place)).split('\x1e').slice(1)
  return steps.map(({ command, output }, index) => ({
    command,
    output: output === undefined ? undefined : normalized(outputs[index] ?? '', place),
  }))
}

/** The steps as the page shows them, to be compared with those. */
export const shown = (steps: readonly Step[], place: Place): Step[] =>
  steps.map(({ command, output }) => ({
    command,
    output: output === undefined ? undefined : normalized(output, place),
  }))

/** Ids, times, keys and the name of the folder differ from run to run, and what the place says; nothing else may. */
const normalized = (output: string, { differing = [] }: Place): string =>
  differing
    .reduce((text, [pattern, name]) => text.replace(pattern, name), output)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}\b/g, '<short id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d+ (s|min) ago/g, '<time>')
    .replace(/\bcacpd-readme-\w+/g, 'cacpd')
    .replace(/aid:\/\/[a-z0-9.-]+\/(cacpd(-readme-\w+)?|mobile-app)@1\.0\.0/g, '<aid>')
    .replace(/Paired with \S+/g, 'Paired with <repo>')
    .replace(/same words: .+/g, 'same words: <words>')
    .replace(/[ \t]+/g, ' ')
    .trim()

/** A refusal of the daemon is a failure too. */
const STRICT_CURL = 'curl() { command curl -sS --fail "$@"; }\n'

/** Where the pages have a daemon listen. */
const USUAL_URL = 'http://127.0.0.1:8080'

export interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Where its daemon listens. */
  readonly url?: string
  /** Ports that the page names, and those that are free in their place. */
  readonly ports?: readonly (readonly [port: string, free: string])[]
  /** What else differs there from run to run, and the name that stands for it. */
  readonly differing?: readonly (readonly [pattern: RegExp, name: string])[]
}

/** What a script prints. Whatever it started and did not stop ends with it. */
async function outputOf(script: string, { cwd, env }: Place): Promise<string> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd, env, detached: true })
  try {
    // What it left running holds its output open, also where a step has failed.
    const exited = once(shell, 'exit').finally(() => endGroup(shell.pid))
    const [out, err, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), exited])
    if (code !== 0) throw new Error(`the page ended with ${code} after:\n${out.slice(-2000)}\n${err}`)
    return out
  } finally {
    endGroup(shell.pid)
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  } catch {
    // Nobody of it is left.
  }
}

/** Without what npm and vitest put there for the test run itself. */
export function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|VITEST|NODE_ENV|CACP_|INIT_CWD)/i.test(name) || /^npm_config_/i.test(name),
    ),
  )
}
