import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf } from './docs/markdown.ts'
import { isExecuted } from './docs/page-script.ts'
import { pageText } from './docs/pages.ts'
import { PROTOCOL_PAGES } from './docs/scenes.ts'
import { daemon, type TestDaemon } from './support/daemons/daemon.ts'

let running: TestDaemon
beforeAll(async () => {
  running = await daemon()
  await running.rpc('cacp/project/create', { name: 'User Auth', objective: 'Log in from the app' })
})
afterAll(() => running[Symbol.asyncDispose]())

/** The commands of one page, as they stand there. */
const commandsOf = (page: string): string =>
  blocksOf(pageText(page))
    .filter(isExecuted)
    .map(({ text: block }) => block)
    .join('\n')

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

test('there is a page for each of the five protocols', () => {
  expect(PROTOCOL_PAGES).toHaveLength(5)
})

test.each(PROTOCOL_PAGES)('the commands in %s get an answer with its sources', async (page) => {
  const commands = commandsOf(page)
  const asked = commands.match(/^curl /gm)?.length ?? 0
  expect(asked).toBeGreaterThan(0)
  const answer = await pasted(commands)
  expect(answer).toContain('Project User Auth is planning.')
  expect(answer).toContain('cacp:project/')
})
