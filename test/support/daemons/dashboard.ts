import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Config } from '../../../src/config/config.ts'
import type { Overrides } from '../../../src/daemon/daemon.ts'
import { daemon, type Reply, type TestDaemon } from './daemon.ts'

const DOCUMENT = `<!doctype html>
<title>cacpd</title>
<link rel="icon" href="/ui/assets/icon.svg">
<script type="module" src="/ui/assets/app-ABCD1234.js"></script>
<p>/ui/ in a text</p>
`

/** A folder with a page as the build writes it, only smaller. */
export async function pageFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cacpd-page-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), DOCUMENT)
  await writeFile(join(folder, 'assets', 'app-ABCD1234.js'), 'export const page = 1\n'.repeat(100))
  await writeFile(join(folder, 'assets', 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'assets', 'notes.txt'), 'not for browsers')
  await writeFile(join(folder, 'secret.txt'), 'beside the page')
  return folder
}

/** What a browser sends along with the calls of the page. */
export type BrowserHeaders = Record<string, string>

/** A page that is open in a browser, with its session. */
export interface TestPage {
  readonly cookie: string
  readonly token: string
  /** The headers of a call that changes something, and of one that reads. */
  readonly posting: BrowserHeaders
  readonly getting: BrowserHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  rpc(method: string, params?: unknown): Promise<any>
}

export interface Dashboard extends TestDaemon {
  readonly origin: string
  newCode(): Promise<{ code: string; codeId: string; url: string }>
  /** Exchanges a code as the page does. */
  exchange(code: string, headers?: BrowserHeaders): Promise<Reply>
  open(): Promise<TestPage>
}

/** A daemon whose page is built, and what people's browsers do with it. */
export async function dashboard(flags: Partial<Config> = {}, overrides: Overrides = {}): Promise<Dashboard> {
  const at = await daemon(flags, { pageFolder: await pageFolder(), ...overrides })
  const origin = new URL(at.url).origin
  const newCode: Dashboard['newCode'] = async () =>
    (await at.fetch('/ui/login-codes', { method: 'POST' })).json
  const exchange: Dashboard['exchange'] = (code, headers = {}) =>
    at.fetch('/ui/session', {
      method: 'POST',
      headers: { authorization: '', 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify({ code }),
    })
  return {
    ...at,
    origin,
    newCode,
    exchange,
    open: async () => {
      const { code } = await newCode()
      const reply = await exchange(code)
      expect(reply.status, reply.text).toBe(200)
      const [cookie = ''] = String(reply.headers['set-cookie']).split(';')
      const { token } = reply.json as { token: string }
      const halves = { authorization: '', cookie, 'x-cacpd-ui': token }
      const posting = { ...halves, origin, 'sec-fetch-site': 'same-origin' }
      const getting = { ...halves, 'sec-fetch-site': 'same-origin' }
      return { cookie, token, posting, getting, rpc: (method, params) => at.rpc(method, params, posting) }
    },
  }
}
