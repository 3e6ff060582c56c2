import { describe, expect, test } from 'vitest'
import { PROOF_TYP } from '../../src/domain/trust/proof.ts'
import { verifySignature } from '../../src/io/identity/signature.ts'
import { daemon } from '../support/daemons/daemon.ts'

const NO_KEY = { headers: { authorization: '' } }
const CHALLENGE = 'a'.repeat(43)
const AGENT = 'aid://example.com/backend@1.0.0'

describe('the identity of a daemon', () => {
  test('is in its card and its key set for everybody, without the private half', async () => {
    await using backend = await daemon()
    const card = await backend.fetch('/.well-known/agent.json', NO_KEY)
    const { key, rotations } = card.json.extensions.cacpd.identity
    expect(Object.keys(key).sort()).toEqual(['crv', 'kty', 'x'])
    expect(rotations).toEqual([])
    const { status, json } = await backend.fetch('/.well-known/jwks.json', NO_KEY)
    expect(status).toBe(200)
    expect(json).toEqual({
      keys: [{ ...key, kid: expect.stringMatching(/^[\w-]{43}$/), use: 'sig', alg: 'EdDSA' }],
    })
  })

  test('is proven to whoever asks, by a signature that is good for nothing else', async () => {
    await using backend = await daemon()
    const { key } = (await backend.fetch('/.well-known/agent.json')).json.extensions.cacpd.identity
    const { status, json } = await backend.fetch(`/.well-known/cacpd-proof/${CHALLENGE}`, NO_KEY)
    expect(status).toBe(200)
    const claims = await verifySignature(json.proof, key, PROOF_TYP)
    expect(claims).toEqual({
      iss: AGENT,
      aud: CHALLENGE,
      endpoint: backend.url,
      address: '127.0.0.1',
      iat: expect.any(Number),
    })
    // It is no token, whatever was asked to be signed.
    const asToken = await backend.post(
      { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' },
      { authorization: `Bearer ${json.proof}` },
    )
    expect(asToken.status).toBe(401)
  })

  test.each(['short', 'a'.repeat(65), `${'a'.repeat(30)}.b`, '%00'.repeat(30)])(
    'is not proven on %j',
    async (challenge) => {
      await using backend = await daemon()
      const { status, json } = await backend.fetch(`/.well-known/cacpd-proof/${challenge}`, NO_KEY)
      expect({ status, message: json.error.message }).toEqual({
        status: 400,
        message: 'challenge: must be 22 to 64 characters of base64url',
      })
    },
  )

  test('that was replaced leaves the project tokens valid that it signed', async () => {
    await using backend = await daemon()
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    const { token } = await backend.rpc('cacp/token/issue', {
      projectId,
      subject: AGENT,
      permissions: ['project:read'],
    })
    await backend.rpc('cacp/identity/rotate')
    const headers = { authorization: '', 'x-project-token': token }
    expect(await backend.rpc('cacp/project/get', { projectId }, headers)).toMatchObject({
      project_id: projectId,
    })
  })
})
