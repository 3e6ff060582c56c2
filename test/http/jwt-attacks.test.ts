import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CryptoKey, decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'

const SELF = 'aid://example.com/backend@1.0.0'
const TYP = 'cacpd-project+jwt'
const HOUR = 3600

let here: TestDaemon
let there: TestDaemon
let projectId: string
let otherProjectId: string
let genuine: string
/** The very key of the daemon: whatever it did not issue is refused even with a right signature. */
let own: CryptoKey
let foreign: CryptoKey

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const issue = (at: TestDaemon, given: object = {}) =>
  at.rpc('cacp/token/issue', { projectId, permissions: ['project:read'], ...given })
const keyOf = async (at: TestDaemon) => {
  const { key } = JSON.parse(await readFile(join(at.dataDir, 'identity.json'), 'utf8'))
  return { jwk: key, key: (await importJWK(key, 'EdDSA')) as CryptoKey }
}
/** The claims of the genuine token, with some of them changed or, where undefined, left out. */
const resigned = (claims: object, header: object = {}, key = own) =>
  new SignJWT(JSON.parse(JSON.stringify({ ...decodeJwt(genuine), ...claims })))
    .setProtectedHeader({ alg: 'EdDSA', typ: TYP, ...header })
    .sign(key)
const read = (headers: Record<string, string>) =>
  here.post({ jsonrpc: '2.0', id: 1, method: 'cacp/project/get', params: { projectId } }, headers)

beforeAll(async () => {
  // As many tries as there are attacks: that they are counted is tested elsewhere.
  here = await daemon({ ratePerStranger: 100_000 })
  there = await daemon({ repo: 'frontend-app', agentId: 'aid://example.com/frontend@1.0.0' })
  ;({ projectId } = await here.rpc('cacp/project/create', { name: 'P', objective: 'o' }))
  ;({ projectId: otherProjectId } = await here.rpc('cacp/project/create', { name: 'Q', objective: 'o' }))
  genuine = (await issue(here)).token
  own = (await keyOf(here)).key
  foreign = (await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })).privateKey
})
afterAll(async () => {
  await here[Symbol.asyncDispose]()
  await there[Symbol.asyncDispose]()
})

const now = () => Math.floor(Date.now() / 1000)

/** Each makes one token that must not open anything. */
const FORGED: Record<string, () => Promise<string> | string> = {
  'alg none, without a signature': () => `${encoded({ alg: 'none', typ: TYP })}.${genuine.split('.')[1]}.`,
  'alg none, with the right signature': () =>
    `${encoded({ alg: 'none', typ: TYP })}.${genuine.split('.').slice(1).join('.')}`,
  'alg nOnE': () => `${encoded({ alg: 'nOnE', typ: TYP })}.${genuine.split('.')[1]}.`,
  ...Object.fromEntries(
    (['x', 'raw', 'jwk', 'pem'] as const).map((form) => [
      `HS256 with our public key (${form}) as the secret`,
      async () => {
        const { jwk } = await keyOf(here)
        const { d: _, ...open } = jwk
        const pem = () =>
          importJWK(open, 'EdDSA', { extractable: true }).then((key) => exportSPKI(key as CryptoKey))
        const secret = {
          x: open.x,
          raw: Buffer.from(open.x, 'base64url'),
          jwk: JSON.stringify(open),
          pem: await pem(),
        }[form]
        const signed = `${encoded({ alg: 'HS256', typ: TYP })}.${genuine.split('.')[1]}`
        return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
      },
    ]),
  ),
  'a key of its own': () => resigned({}, {}, foreign),
  'a key of its own in jwk': async () => resigned({}, { jwk: await publicOf(foreign) }, foreign),
  'a key of its own behind jku': () => resigned({}, { jku: 'http://127.0.0.1:9/jwks.json' }, foreign),
  'a key of its own behind x5u': () => resigned({}, { x5u: 'http://127.0.0.1:9/cert.pem' }, foreign),
  'a key of its own in x5c': () => resigned({}, { x5c: ['MIIB'] }, foreign),
  'a kid that is a path': () => resigned({}, { kid: '../../../../dev/null' }, foreign),
  'a kid that is a query': () => resigned({}, { kid: "' OR 1=1 --" }, foreign),
  'our key, and jwk beside it': async () => resigned({}, { jwk: await publicOf(own) }),
  'our key, and jku beside it': () => resigned({}, { jku: 'http://127.0.0.1:9/jwks.json' }),
  'another project as aud': () => resigned({ aud: otherProjectId }),
  'several projects as aud': () => resigned({ aud: [projectId, otherProjectId] }),
  'another issuer': () => resigned({ iss: 'aid://example.com/other@1.0.0' }),
  'another subject': () => resigned({ sub: 'aid://example.com/other@1.0.0' }),
  'more permissions': () => resigned({ permissions: ['project:read', 'project:write'] }),
  'a longer life': () => resigned({ exp: now() + 23 * HOUR }),
  'a life of more than a day': () => resigned({ exp: now() + 25 * HOUR }),
  'no end': () => resigned({ exp: undefined }),
  'an end that is text': () => resigned({ exp: '9999999999' }),
  'an end in the past': () => resigned({ exp: now() - 1 }),
  'a beginning in the future': () => resigned({ nbf: now() + HOUR }),
  'no id': () => resigned({ jti: undefined }),
  'an id that was never issued': () => resigned({ jti: '01934a7c-0000-7000-8000-000000000009' }),
  'an id out of Object.prototype': () => resigned({ jti: 'constructor' }),
  'another typ': () => resigned({}, { typ: 'JWT' }),
  'no typ': () => resigned({}, { typ: undefined }),
  'the typ of a known agent': () => resigned({ aud: SELF, iss: SELF, sub: SELF }, { typ: 'cacpd-known+jwt' }),
  'a typ that only looks alike': () => resigned({}, { typ: 'application/cacpd-project+jwt' }),
  'b64 false and crit': () =>
    `${encoded({ alg: 'EdDSA', typ: TYP, b64: false, crit: ['b64'] })}.${genuine.split('.').slice(1).join('.')}`,
  'a crit that nobody knows': () =>
    `${encoded({ alg: 'EdDSA', typ: TYP, crit: ['exp'] })}.${genuine.split('.').slice(1).join('.')}`,
  'the signature cut short': () => genuine.slice(0, -4),
  'no signature': () => `${genuine.split('.').slice(0, 2).join('.')}.`,
  'two parts only': () => genuine.split('.').slice(0, 2).join('.'),
  'five parts, as if encrypted': () => `${genuine}.${genuine.split('.')[1]}.x`,
  'claims that are no JSON': () => `${genuine.split('.')[0]}.bm8.${genuine.split('.')[2]}`,
  'a header that is no JSON': () => `bm8.${genuine.split('.').slice(1).join('.')}`,
  'twelve thousand characters': () => resigned({ more: 'x'.repeat(9000) }),
  'the token of another daemon': async () => {
    const made = await there.rpc('cacp/project/create', { name: 'P', objective: 'o' })
    return (await issue(there, { projectId: made.projectId })).token
  },
}

async function publicOf(key: CryptoKey) {
  const { d: _, ...open } = await exportJWK(key).catch(async () => (await keyOf(here)).jwk)
  return open
}

describe('a project token', () => {
  test('opens what it is for, sent either way [cacp-security-3]', async () => {
    expect((await read({ 'x-project-token': genuine, authorization: '' })).status).toBe(200)
    expect((await read({ authorization: `Bearer ${genuine}` })).status).toBe(200)
    expect((await read({ 'x-project-token': genuine })).status).toBe(200)
    expect(await resigned({})).not.toBe(genuine)
    expect((await read({ 'x-project-token': await resigned({}), authorization: '' })).status).toBe(200)
  })

  test.each(Object.keys(FORGED))('with %s opens nothing, and is told how to get in', async (what) => {
    const token = (await FORGED[what]?.()) ?? ''
    for (const headers of [
      { 'x-project-token': token, authorization: '' },
      { authorization: `Bearer ${token}` },
      { 'x-project-token': token, authorization: `Bearer ${here.key}` },
      { 'x-project-token': genuine, authorization: `Bearer ${token}` },
    ]) {
      const { status, json, headers: answered } = await read(headers)
      expect({ status, challenge: answered['www-authenticate'] }).toEqual({
        status: 401,
        challenge: 'Bearer',
      })
      expect(json.error.data).toMatchObject({
        kind: 'unauthorized',
        next: expect.stringContaining('cacpd invite'),
      })
      expect(JSON.stringify(json)).not.toContain(projectId)
      expect(token.length > 20 && JSON.stringify(json).includes(token)).toBe(false)
    }
    const file = await here.fetch(`/files/${'0'.repeat(64)}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(file.status).toBe(401)
  })

  test('is refused whole when its headers are more than a request may have', async () => {
    const { status } = await here.fetch('/peers', { headers: { 'x-project-token': 'x'.repeat(17_000) } })
    expect(status).toBe(431)
  })

  test('ends by itself', async () => {
    const { token } = await issue(here, { expiresInSeconds: 1 })
    const headers = { 'x-project-token': token, authorization: '' }
    await expect.poll(async () => (await read(headers)).status, { timeout: 5000 }).toBe(401)
    expect((await read(headers)).json.error.message).toBe('X-Project-Token: this token has expired')
  })

  test('ends at once when it is revoked, also on a connection that stays open, and after a restart', async () => {
    const { token, tokenId } = await issue(here)
    const headers = { 'x-project-token': token, authorization: '' }
    expect((await read(headers)).status).toBe(200)
    await here.rpc('cacp/token/revoke', { tokenId })
    expect((await read(headers)).json.error.message).toBe('X-Project-Token: this token was revoked')
    await here.rpc('cacp/token/revoke', { tokenId })
    const { tokens } = await here.rpc('cacp/token/list', { projectId })
    expect(tokens.find((one: { tokenId: string }) => one.tokenId === tokenId)).toMatchObject({
      status: 'revoked',
    })
    await here.restart()
    expect((await read(headers)).status).toBe(401)
    expect((await read({ 'x-project-token': genuine, authorization: '' })).status).toBe(200)
  })

  test('goes on working while the key that signed it is still shown', async () => {
    const { token } = await issue(here)
    await here.rpc('cacp/identity/rotate', {})
    expect((await read({ 'x-project-token': token, authorization: '' })).status).toBe(200)
  })
})
