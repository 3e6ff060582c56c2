import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readManifest } from '../../../src/protocol/agent/adp.ts'

type Manifest = Record<string, unknown>

export const AID = 'aid://example.com/backend@1.0.0'

/** As the CACP reference builds it: neither owner.org nor signing keys, and a protocol that ADP does not list. */
export const plainManifest = (more: Manifest = {}): Manifest => ({
  aid: AID,
  name: 'CACP Agent (backend-api)',
  description: 'Coding agent for the backend-api repository',
  owner: { name: 'example.com' },
  capabilities: [{ id: 'code-coordination', description: 'Coordinates code across repositories' }],
  invocation: {
    protocols: [{ type: 'cacp', version: '2.0', endpoint: 'http://localhost:8080', transportType: 'http' }],
    authentication: ['api_key'],
  },
  metadata: {
    cacp: {
      role: 'backend',
      languages: ['python'],
      supported_contract_types: ['api_endpoint'],
      max_concurrent_projects: 5,
    },
  },
  privacy: { dataRetentionDays: 30, dataRegions: ['global'], dataSharing: 'none' },
  updatedAt: '2026-11-16T06:00:00Z',
  ...more,
})

/** All that ADP demands, of an agent that does not speak CACP. */
export const completeManifest = (more: Manifest = {}): Manifest => ({
  aid: 'aid://example.org/translator@2.0.0',
  name: 'Translator',
  owner: { org: 'Example' },
  capabilities: [{ id: 'translate', description: 'Translates texts between languages' }],
  invocation: { protocols: [{ type: 'mcp', endpoint: 'https://example.org/mcp' }] },
  privacy: { dataRetentionDays: 0, dataRegions: ['EU'], dataSharing: 'none' },
  security: { signingKeys: { current: `ed25519:${Buffer.alloc(32, 1).toString('base64')}` } },
  updatedAt: '2026-11-16T06:00:00Z',
  ...more,
})

export interface Signer {
  /** As manifests write it. */
  readonly key: string
  readonly privateKey: KeyObject
  /** The manifest with this key as the current one, unless it names others, and its signature: JSON text. */
  signed(manifest: Manifest): string
}

export function signer(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = `ed25519:${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`
  return {
    key,
    privateKey,
    signed: (manifest) => {
      const { signedText } = readManifest(
        JSON.stringify({ security: { signingKeys: { current: key } }, ...manifest }),
      )
      const signature = sign(null, Buffer.from(signedText), privateKey).toString('base64')
      return signedText.replace(/}$/, `,"signature":"${signature}"}`)
    },
  }
}
