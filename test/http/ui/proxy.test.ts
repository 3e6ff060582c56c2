import { Agent, request } from 'undici'
import { describe, expect, test } from 'vitest'
import { dashboard } from '../../support/daemons/dashboard.ts'
import { followEvents } from '../../support/daemons/event-reader.ts'
import { type ProxyOptions, reverseProxy } from '../../support/network/reverse-proxy.ts'

/** A daemon behind a proxy with TLS, which shows it below a path, and a browser at the other side of the proxy. */
async function behindProxy(options: Omit<ProxyOptions, 'path'>, remote = true) {
  const path = '/team/backend-api'
  const proxy = await reverseProxy({ ...options, path })
  const publicUrl = proxy.endpoint
  const at = await dashboard({ publicUrl, ui: { remote, basePath: path } })
  proxy.daemon.url = at.url
  const dispatcher = new Agent({ connect: { ca: proxy.certificate } })
  const ask = async (to: string, { method = 'GET', headers = {}, body = null as string | null } = {}) => {
    const sent = { 'sec-fetch-site': 'same-origin', ...headers }
    const reply = await request(`${publicUrl}${path}${to}`, { method, headers: sent, body, dispatcher })
    const text = await reply.body.text()
    return { status: reply.statusCode, headers: reply.headers, text }
  }
  const logIn = async () => {
    const { code, remoteUrl } = (await at.fetch('/ui/login-codes', { method: 'POST' })).json
    expect(remoteUrl).toBe(`${publicUrl}${path}/ui/#c=${code}`)
    const headers = { 'content-type': 'application/json', origin: publicUrl }
    const reply = await ask('/ui/session', { method: 'POST', headers, body: JSON.stringify({ code }) })
    expect(reply.status, reply.text).toBe(200)
    const cookie = String(reply.headers['set-cookie'])
    return { cookie: cookie.split(';')[0] ?? '', 'x-cacpd-ui': JSON.parse(reply.text).token, all: cookie }
  }
  return {
    at,
    path,
    publicUrl,
    dispatcher,
    ask,
    logIn,
    [Symbol.asyncDispose]: async () => {
      await dispatcher.destroy()
      await at[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    },
  }
}

describe.each([
  { isStripping: false, keepsHost: true },
  { isStripping: false, keepsHost: false },
  { isStripping: true, keepsHost: true },
  { isStripping: true, keepsHost: false },
])('behind a proxy with %j', (options) => {
  test('the page, its files, its session and its data are all below the path', async () => {
    await using place = await behindProxy(options)
    const { ask, path, publicUrl } = place
    const document = await ask('/ui/c/project/contract')
    expect(document.status).toBe(200)
    expect(document.text).toContain(`src="${path}/ui/assets/app-ABCD1234.js"`)
    expect(document.text).toContain(`href="${path}/ui/assets/icon.svg"`)
    expect(document.text).toContain('<p>/ui/ in a text</p>')
    expect((await ask('/ui/assets/app-ABCD1234.js')).text).toContain('export const page')
    const { all, ...halves } = await place.logIn()
    expect(all).toMatch(/^__Host-cacpd_ui_\d+_[0-9a-f]{8}=[\w-]{43}; Path=\/; .*; Secure$/)
    const session = JSON.parse((await ask('/ui/session', { headers: halves })).text)
    expect(session.baseUrl).toBe(`${publicUrl}${path}`)
    const call = { jsonrpc: '2.0', id: 1, method: 'cacp/inbox/list', params: {} }
    const headers = { ...halves, origin: publicUrl, 'content-type': 'application/json' }
    const answer = await ask('/', { method: 'POST', headers, body: JSON.stringify(call) })
    expect(JSON.parse(answer.text).result.items).toEqual([])
    const foreign = { ...headers, origin: 'https://evil.example' }
    expect((await ask('/', { method: 'POST', headers: foreign, body: JSON.stringify(call) })).status).toBe(
      403,
    )
  })

  test('the stream comes through as it happens', async () => {
    await using place = await behindProxy(options)
    const { all: _, ...halves } = await place.logIn()
    const headers = { ...halves, 'sec-fetch-site': 'same-origin' }
    await using events = await followEvents(`${place.publicUrl}${place.path}`, headers, '', place.dispatcher)
    expect((await events.next()).type).toBe('dev.cacp.snapshot')
    await place.at.rpc('cacp/project/create', { name: 'P', objective: 'o', repos: [{ name: 'backend-api' }] })
    expect((await events.next()).data).toMatchObject({ kind: 'project' })
  })
})

test('at its own machine it is below the same path, without TLS', async () => {
  await using place = await behindProxy({ isStripping: false, keepsHost: true })
  const { at, path } = place
  const { url, code } = (await at.fetch('/ui/login-codes', { method: 'POST' })).json
  expect(url).toBe(`${at.url}${path}/ui/#c=${code}`)
  expect((await at.fetch(`${path}/ui/`)).status).toBe(200)
  expect((await at.fetch(`${path}/ui/assets/icon.svg`)).status).toBe(200)
  const page = await at.open()
  expect(page.cookie).toMatch(/^cacpd_ui_/)
  const call = { jsonrpc: '2.0', id: 1, method: 'cacp/inbox/list', params: {} }
  const headers = { ...page.posting, 'content-type': 'application/json' }
  const answer = await at.fetch(`${path}/`, { method: 'POST', headers, body: JSON.stringify(call) })
  expect(answer.json.result.items).toEqual([])
  for (const other of [`${path}x/ui/`, `${path}/${path}/ui/`, '/team/ui/'])
    expect((await at.fetch(other)).status).toBe(404)
})

test('where it is for its own machine alone, the proxy shows nothing of it', async () => {
  await using place = await behindProxy({ isStripping: true, keepsHost: false }, false)
  const { status, text } = await place.ask('/ui/')
  expect(status).toBe(403)
  expect(text).toContain('answers people at its own machine only')
})
