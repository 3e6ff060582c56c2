import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { daemon, type TestDaemon } from './support/daemons/daemon.ts'

const ROOT = new URL('..', import.meta.url).pathname
const PROTOCOLS = ['Coreason transport', 'Coreason CAP wire format', 'Agent API', 'A2A', 'Chiffon']

let running: TestDaemon
let readme: string
beforeAll(async () => {
  readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  running = await daemon()
  await running.rpc('cacp/project/create', { name: 'User Auth', objective: 'Log in from the app' })
})
afterAll(() => running[Symbol.asyncDispose]())

/** The commands of one section, as they stand there. */
function commandsOf(protocol: string): string {
  const [, section = ''] = readme.split(`\n### ${protocol}\n`)
  const [own = ''] = section.split(/\n##+ /)
  return [...own.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block).join('\n')
}

/** Whoever pastes it has a daemon of their own, at another port and with another key. */
async function pasted(commands: string): Promise<string> {
  const script = `cacpd() { cat '${join(running.dataDir, 'operator.key')}'; }\n${commands.replaceAll('http://127.0.0.1:8080', running.url)}`
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script.replaceAll('curl ', 'curl -sS --fail ')])
  const exited = once(shell, 'exit')
  const [out, err] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  const [code] = await exited
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

test.each(PROTOCOLS)(
  'the commands in the section about %s get an answer with its sources',
  async (protocol) => {
    const commands = commandsOf(protocol)
    const asked = commands.match(/^curl /gm)?.length ?? 0
    expect(asked).toBeGreaterThan(0)
    const answer = await pasted(commands)
    expect(answer).toContain('Project User Auth is planning.')
    expect(answer).toContain('cacp:project/')
  },
)
