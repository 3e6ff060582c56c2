import { defined } from '../../protocol/collections/defined.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { ContractType } from '../../protocol/words.ts'
import type { Self } from '../env.ts'
import type { PublicKey } from '../trust/trust.ts'

interface ManifestKeys {
  readonly current: PublicKey
  readonly previous: readonly PublicKey[]
  /** The signed statements by which each key vouched for the next: the exchange may know an older key. */
  readonly rotations: readonly string[]
}

/** What this daemon tells an exchange about itself: no more than its public agent card. Not signed yet. */
export function ownManifest(self: Self, keys: ManifestKeys, now: Stamp): JsonObject {
  const { agentId, repo, role, language, endpoint, certificate } = self
  return {
    aid: agentId,
    name: `CACP Agent (${repo})`.slice(0, LIMITS.nameLength),
    description: `Coding agent for ${repo} repository`,
    owner: { org: domainOf(agentId) },
    capabilities: [
      {
        id: 'cacp-coordination',
        description:
          'Agrees with the agents of other repositories on interfaces, and shares what they need to know',
      },
    ],
    invocation: {
      protocols: [{ type: 'cacp', version: '2.0', endpoint, transportType: 'http' }],
      authentication: ['api_key'],
    },
    metadata: {
      cacp: { role, languages: [language], supported_contract_types: ContractType.options },
      cacpd: { repo, rotations: keys.rotations, ...defined({ certificate }) },
    },
    privacy: { dataRetentionDays: -1, dataRegions: ['local'], dataSharing: 'partners' },
    security: {
      signingKeys: { current: keyText(keys.current), previous: keys.previous.map(keyText) },
    },
    updatedAt: now,
  }
}

const domainOf = (aid: string): string => /^aid:\/\/([^/]+)\//.exec(aid)?.[1] ?? aid

/** The 32 bytes of the key in standard base64. */
const keyText = ({ x }: PublicKey): string => `ed25519:${x.replaceAll('-', '+').replaceAll('_', '/')}=`
