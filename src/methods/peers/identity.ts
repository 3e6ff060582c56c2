import * as z from 'zod'
import { EXAMPLE, method } from '../row.ts'

const IdentityReport = z.object({
  agentId: z.string(),
  fingerprint: z.string().describe('RFC 7638 thumbprint of the public key, as peers see it'),
  publicKey: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() }),
  rotations: z.int().describe('how many keys before this one vouch for it, each for the next'),
})
export type IdentityReport = z.output<typeof IdentityReport>

const example: IdentityReport = {
  agentId: EXAMPLE.agentId,
  fingerprint: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  publicKey: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
  rotations: 0,
}

export const get = method({
  name: 'cacp/identity/get',
  summary: 'Show by which key peers know this daemon.',
  access: 'operator',
  noted: 'first',
  params: z.object({}),
  result: IdentityReport,
  example: { params: {}, result: example },
}).serve(({ identity }) => Promise.resolve(identity.report()))

export const rotate = method({
  name: 'cacp/identity/rotate',
  summary: 'Replace the key by which peers know this daemon; the old key vouches for the new one.',
  access: 'operator',
  params: z.object({}),
  result: IdentityReport,
  example: { params: {}, result: { ...example, rotations: 1 } },
}).serve(({ identity }) => identity.rotate())
