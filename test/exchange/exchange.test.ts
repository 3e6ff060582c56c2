import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { DEFAULTS } from '../../src/config/settings.ts'
import { ensureCertificate } from '../../src/io/identity/certificate.ts'
import { createAdpClient } from '../../src/io/outbound/adp-client.ts'
import { stampOfMillis } from '../../src/protocol/stamp.ts'
import { exchange } from '../support/daemons/exchange.ts'
import { folderWith } from '../support/folders/folder.ts'
import { AID, completeManifest, plainManifest, signer } from '../support/network/manifests.ts'

/** As the CACP client gives an AID in a path; escaped wholly; and not at all. */
const FORMS = [AID.replaceAll('/', '%2F'), encodeURIComponent(AID), AID]

describe('registering', () => {
  test('the manifest of a CACP agent answers all that any client looks for [cacp-adp-2]', async () => {
    await using there = await exchange()
    const { status, json } = await there.register(plainManifest())
    expect(status).toBe(201)
    expect(json).toMatchObject({
      success: true,
      message: `${AID} is registered`,
      id: AID,
      aid: AID,
      status: 'registered',
      verified: false,
    })
    expect(json.registeredAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  })

  test('again at every start of the agent renews it', async () => {
    await using there = await exchange()
    const first = await there.register(plainManifest())
    const { status, json } = await there.register(plainManifest({ name: 'Renamed' }))
    expect(status).toBe(200)
    expect(json).toMatchObject({ success: true, status: 'updated', registeredAt: first.json.registeredAt })
    expect((await there.get('/v1/agents/')).json).toMatchObject({ total: 1, results: [{ name: 'Renamed' }] })
  })

  test('under the other path of ADP is the same', async () => {
    await using there = await exchange()
    expect(await there.post('/api/v1/agents', { manifest: plainManifest() })).toMatchObject({
      status: 201,
      json: { success: true },
    })
    expect((await there.get('/api/v1/agents')).json).toMatchObject({ total: 1 })
    expect((await there.get(`/api/v1/agents/${FORMS[0]}`)).json.aid).toBe(AID)
  })

  test('a signed manifest makes it verified, whatever its numbers look like', async () => {
    await using there = await exchange()
    const { signed } = signer()
    expect((await there.register(signed(plainManifest()))).json).toMatchObject({
      success: true,
      verified: true,
    })
    expect((await there.get(`/v1/agents/${FORMS[0]}`)).json.verified).toBe(true)
  })

  test('what a Python agent signed is verified, and comes back with the numbers that it signed', async () => {
    await using there = await exchange()
    const signedByPython = await readFile(new URL('../support/python-manifest.txt', import.meta.url), 'utf8')
    const { json } = await there.register(signedByPython)
    expect(json).toMatchObject({ success: true, verified: true })
    const { text } = await there.get(`/v1/agents/${encodeURIComponent(json.aid)}`)
    expect(text).toContain('"pricePerCall":1.0')
    expect(text).toContain('"errorRate":1e-07')
  })

  test.each([
    ['a signature over something else', (text: string) => text.replace('backend-api', 'backend-apx')],
    ['a signature that is none', (text: string) => text.replace(/"signature":"[^"]*"/, '"signature":"abc"')],
  ])('%s is refused, in both of the ways of ADP', async (_what, spoil) => {
    await using there = await exchange()
    const { status, json } = await there.register(spoil(signer().signed(plainManifest())))
    expect(status).toBe(400)
    expect(json).toMatchObject({ success: false, error: 'invalid_signature' })
    expect(json.detail).toMatch(/^manifest\.signature: /)
    expect(json.message).toBe(json.detail)
    expect((await there.get('/v1/agents/')).json.total).toBe(0)
  })

  test('AIDs that are none are refused, naming the field', async () => {
    await using there = await exchange()
    for (const aid of ['aid://d/Back@1.0.0', 'aid://d/a_b@1.0.0', 'aid://d/a@1.0', 'aid:///a@1.0.0']) {
      const { status, json } = await there.register(plainManifest({ aid }))
      expect([status, json.detail.split(':')[0]]).toEqual([400, 'manifest.aid'])
    }
    for (const aid of ['aid://localhost/x@1.0.0', 'aid://localhost/x@1.0.0-beta.1+b'])
      expect((await there.register(plainManifest({ aid }))).status).toBe(201)
  })

  test.each([
    ['no JSON', '{', 400],
    ['no manifest', '{}', 400],
    ['a list', '[]', 400],
    ['an empty body', '', 400],
    ['a manifest that is text', '{"manifest":"x"}', 400],
    ['nested without end', `{"manifest":${'['.repeat(50_000)}`, 400],
    ['more than anybody has to say', `{"manifest":"${'x'.repeat(300_000)}"}`, 413],
    ['a manifest that is too large', `{"manifest":{"x":"${'x'.repeat(100_000)}"}}`, 413],
  ])('%s is refused with a sentence', async (_what, body, status) => {
    await using there = await exchange()
    const answer = await there.post('/v1/register/', body)
    expect(answer.status).toBe(status)
    expect(answer.json.detail).toMatch(/\w{3,} \w+/)
  })
})

describe('who may replace a registration', () => {
  test('of a signed one: the same key, and nobody else', async () => {
    await using there = await exchange()
    const [owner, other] = [signer(), signer()]
    await there.register(owner.signed(plainManifest()))
    for (const manifest of [other.signed(plainManifest()), plainManifest()]) {
      const { status, json } = await there.register(manifest)
      expect(status).toBe(409)
      expect(json).toMatchObject({ success: false, error: 'conflict' })
      expect(json.detail).toMatch(/is registered with (?:another|a) signing key$/)
    }
    expect((await there.register(owner.signed(plainManifest({ name: 'New' })))).json.status).toBe('updated')
  })

  test('also the key that it announced as the next one, from the day that it named', async () => {
    const day = Date.parse('2026-11-16T12:00:00Z')
    let now = day
    await using there = await exchange(
      {},
      { clock: { now: () => stampOfMillis(now), newId: () => 'x', newNonce: () => 'y' } },
    )
    const [old, next] = [signer(), signer()]
    const keys = { current: old.key, next: next.key, rotationDate: '2026-11-20T00:00:00Z' }
    await there.register(old.signed(plainManifest({ security: { signingKeys: keys } })))
    const early = await there.register(next.signed(plainManifest()))
    expect([early.status, early.json.next]).toEqual([409, expect.stringMatching('Wait until then')])
    now = Date.parse('2026-11-20T00:00:01Z')
    const security = { signingKeys: { current: next.key, previous: [old.key] } }
    const rotated = await there.register(next.signed(plainManifest({ security })))
    expect(rotated.json).toMatchObject({ success: true, status: 'updated', verified: true })
    expect((await there.register(old.signed(plainManifest()))).status).toBe(409)
  })

  test('nobody with a manifest that was signed earlier than the one that is there', async () => {
    await using there = await exchange()
    const { signed } = signer()
    const first = signed(plainManifest({ updatedAt: '2026-11-15T00:00:00Z' }))
    await there.register(first)
    await there.register(signed(plainManifest({ updatedAt: '2026-11-16T00:00:00Z' })))
    const { status, json } = await there.register(first)
    expect(status).toBe(409)
    expect(json.detail).toMatch('with a newer manifest, of 2026-11-16T00:00:00')
    expect(
      (await there.register(signed(plainManifest({ updatedAt: '2100-01-01T00:00:00Z' })))).json.detail,
    ).toMatch('manifest.updatedAt: 2100')
  })

  test('everything: the operator of the exchange, and nobody with another key', async () => {
    await using there = await exchange()
    const key = (await readFile(there.folder.at('exchange/operator.key'), 'utf8')).trim()
    await there.register(signer().signed(plainManifest()))
    expect((await there.register(plainManifest(), { authorization: 'Bearer wrong' })).status).toBe(401)
    const replaced = await there.register(plainManifest(), { authorization: `Bearer ${key}` })
    expect(replaced.json).toMatchObject({ success: true, verified: false })
  })
})

describe('removing', () => {
  test('is up to the operator, and the name is free then', async () => {
    await using there = await exchange()
    const key = (await readFile(there.folder.at('exchange/operator.key'), 'utf8')).trim()
    await there.register(signer().signed(plainManifest()))
    expect((await there.remove(AID)).status).toBe(401)
    expect(await there.remove(AID, `Bearer ${key}`)).toMatchObject({
      status: 200,
      json: { success: true, aid: AID },
    })
    expect((await there.get(`/v1/agents/${AID}`)).status).toBe(404)
    expect((await there.search({ query: 'backend' })).json.total).toBe(0)
    expect((await there.remove(AID, `Bearer ${key}`)).status).toBe(404)
    expect((await there.register(signer().signed(plainManifest()))).json.status).toBe('registered')
  })
})

describe('looking one up', () => {
  test.each(FORMS)('works by %s', async (form) => {
    await using there = await exchange()
    await there.register(plainManifest())
    const { status, json } = await there.get(`/v1/agents/${form}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ aid: AID, verified: false, manifest: plainManifest() })
  })

  test('answers 404 for one that is not there, and for what is no AID', async () => {
    await using there = await exchange()
    for (const name of [FORMS[0], FORMS[2], 'x', '__proto__', 'constructor', '%2e%2e%2f']) {
      const { status, json } = await there.get(`/v1/agents/${name}`)
      expect([status, json.success, json.error]).toEqual([404, false, 'not_found'])
    }
    expect((await there.get('/v1/agents/%ff')).status).toBe(400)
  })
})

describe('searching', () => {
  const mobile = plainManifest({
    aid: 'aid://example.com/app@1.0.0',
    name: 'CACP Agent (app)',
    description: 'Coding agent for the application on phones',
    metadata: { cacp: { role: 'mobile', languages: ['Swift', 'kotlin'] } },
  })

  test('finds by words and protocol, with all that a CACP client needs [cacp-adp-1]', async () => {
    await using there = await exchange()
    await there.register(plainManifest())
    const { status, json } = await there.search({
      query: 'backend python',
      filters: { protocols: ['cacp'] },
      limit: 10,
    })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      total: 1,
      results: [{ aid: AID, name: 'CACP Agent (backend-api)', verified: false, manifest: plainManifest() }],
    })
    expect(json.results[0].description).toBe('Coding agent for the backend-api repository')
    const none = await there.search({ query: 'backend python', filters: { protocols: ['mcp'] } })
    expect(none.json).toMatchObject({ total: 0, results: [] })
  })

  test.each([
    ['swift', ['aid://example.com/app@1.0.0']],
    ['swfit', ['aid://example.com/app@1.0.0']],
    ['kotl', ['aid://example.com/app@1.0.0']],
    ['backend', [AID]],
    ['translates', ['aid://example.org/translator@2.0.0']],
    ['mobile backend', [AID, 'aid://example.com/app@1.0.0']],
    ['nothing-like-this', []],
  ])('%s finds what people mean by it', async (query, expected) => {
    await using there = await exchange()
    for (const manifest of [plainManifest(), mobile, completeManifest()]) await there.register(manifest)
    const { json } = await there.search({ query })
    const found: string[] = json.results.map(({ aid }: { aid: string }) => aid)
    expect(found.toSorted()).toEqual(expected.toSorted())
  })

  test.each([
    [{ roles: ['mobile'] }, ['app']],
    [{ role: 'MOBILE' }, ['app']],
    [{ languages: ['swift', 'python'] }, ['backend', 'app']],
    [{ language: 'swift', protocols: ['cacp'] }, ['app']],
    [{ protocols: ['mcp', 'cacp'] }, ['translator', 'backend', 'app']],
    [{ capabilities: ['translate'] }, ['translator']],
    [{ verified: true }, []],
    [{ verified: false, roles: ['backend'] }, ['backend']],
  ])('filters by %j', async (filters, expected) => {
    await using there = await exchange()
    for (const manifest of [plainManifest(), mobile, completeManifest()]) await there.register(manifest)
    const { json } = await there.search({ filters })
    const names = json.results.map(({ aid }: { aid: string }) => /\/([a-z]+)@/.exec(aid)?.[1])
    expect(names.toSorted()).toEqual(expected.toSorted())
    expect(json.ignoredFilters).toBeUndefined()
  })

  test('does not mind a word that nearly everybody has', async () => {
    await using there = await exchange({}, { rates: { ...DEFAULTS, ratePairing: 100_000 } })
    for (let n = 0; n < 120; n++)
      await there.register(
        plainManifest({ aid: `aid://d/a${n}@1.0.0`, name: n === 7 ? 'Quokka agent' : 'Agent' }),
      )
    const found = async (query: string) => (await there.search({ query })).json
    expect(await found('quokka agent cacp')).toMatchObject({
      total: 1,
      results: [{ aid: 'aid://d/a7@1.0.0' }],
    })
    expect(await found('agent')).toMatchObject({ total: 120 })
    expect(await found('agent nothing-like-that')).toMatchObject({ total: 120 })
    expect(await found('quoka')).toMatchObject({ total: 1 })
  })

  test('says which filters mean nothing to it', async () => {
    await using there = await exchange()
    await there.register(plainManifest())
    const { json } = await there.post('/api/v1/agents/search', {
      filters: { mood: 'good', constructor: ['x'] },
    })
    expect(json).toMatchObject({ total: 1, ignoredFilters: ['mood', 'constructor'] })
  })

  test('finds what a manifest says now, not what it said before', async () => {
    await using there = await exchange()
    await there.register(plainManifest({ name: 'Aardvark' }))
    await there.register(plainManifest({ name: 'Buffalo' }))
    expect((await there.search({ query: 'aardvark' })).json.total).toBe(0)
    expect((await there.search({ query: 'buffalo' })).json.total).toBe(1)
  })

  test('goes page by page, within bounds', async () => {
    await using there = await exchange()
    for (let n = 0; n < 5; n++) await there.register(plainManifest({ aid: `aid://d/a${n}@1.0.0` }))
    const pages = await Promise.all(
      [0, 2, 4].map((offset) => there.get(`/v1/agents/?limit=2&offset=${offset}`)),
    )
    const aids = pages.flatMap(({ json }) => json.results.map((one: { aid: string }) => one.aid))
    expect(aids).toEqual([4, 3, 2, 1, 0].map((n) => `aid://d/a${n}@1.0.0`))
    expect((await there.search({ limit: 2, offset: 4 })).json).toMatchObject({ total: 5, results: [{}] })
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'limit=-1', 'offset=-1', 'limit=1&limit=2'])
      expect((await there.get(`/v1/agents/?${query}`)).status).toBe(400)
    for (const body of [{ limit: 0 }, { limit: 101 }, { offset: -1 }, { query: 5 }, { filters: [] }])
      expect((await there.search(body)).status).toBe(400)
  })
})

describe('the door of the exchange', () => {
  test('is closed to web pages, foreign names and forms', async () => {
    await using there = await exchange()
    expect((await there.get('/v1/agents/', { host: 'evil.example' })).status).toBe(403)
    expect((await there.get('/v1/agents/', { origin: 'https://evil.example' })).status).toBe(403)
    const form = await there.post('/v1/register/', '{}', { 'content-type': 'text/plain' })
    expect([form.status, form.json.error]).toEqual([415, 'unsupported_media_type'])
  })

  test('says what it is, and what is not here', async () => {
    await using there = await exchange()
    expect((await there.get('/health')).json).toMatchObject({ status: 'healthy', agents: 0 })
    expect(await there.get('/v1/other')).toMatchObject({ status: 404, json: { success: false } })
    expect(await there.get('/v1/register/')).toMatchObject({ status: 405, json: { success: false } })
    expect((await there.post('/', {})).status).toBe(405)
  })

  test('lets nobody register as often as it can', async () => {
    await using there = await exchange({}, { rates: { ...DEFAULTS, ratePairing: 60 } })
    const statuses: number[] = []
    for (let n = 0; n < 15; n++) statuses.push((await there.register(plainManifest())).status)
    expect(statuses.slice(0, 10)).toEqual([201, ...Array(9).fill(200)])
    expect(statuses).toContain(429)
    expect((await there.search({})).status).toBe(200)
  })

  test('over TLS is known to daemons by its certificate', async () => {
    await using folder = await folderWith()
    await ensureCertificate(folder.path, ['127.0.0.1'])
    const tls = { tlsCert: folder.at('tls.pem'), tlsKey: folder.at('tls.pem') }
    await using there = await exchange(tls)
    expect(there.address).toMatch(/^https:\/\/127\.0\.0\.1:\d+#[0-9a-f]{64}$/)
    const manifest = JSON.stringify(plainManifest())
    for (const [url, outcome] of [
      [there.address, undefined],
      [there.address.replace(/#.*/, ''), 'cannot be reached'],
      [there.address.replace(/#.*/, `#${'0'.repeat(64)}`), 'another certificate'],
      [there.address.replace('https', 'http'), 'only https will do'],
    ] as const) {
      const client = createAdpClient({ url, timeoutMillis: 5000 })
      const registered = client.register(manifest)
      if (outcome === undefined) await expect(registered).resolves.toBeUndefined()
      else await expect(registered).rejects.toThrow(outcome)
      await client.destroy()
    }
  })
})
