import type { Self } from '../domain/env.ts'
import { keyIdOf } from '../domain/trust/key-id.ts'
import type { PublicKey } from '../domain/trust/trust.ts'
import { SYNC_FORMAT } from '../methods/peers/replication.ts'
import type { Capability } from '../protocol/agent/capability.ts'
import { CHIFFON_PATH } from '../protocol/chiffon/envelope.ts'
import { CHIFFON_VERSIONS } from '../protocol/chiffon/versions.ts'
import { ContextType, ContractType } from '../protocol/words.ts'

interface CardFacts {
  readonly version: string
  /** The key by which peers know this daemon, and the rotations that lead to it. */
  readonly identity?: { readonly publicKey: PublicKey; readonly rotations: readonly string[] }
  readonly chiffonAgent?: string
  /** What can be asked for at /v1/assist. */
  readonly capabilities?: readonly Capability[]
}

/** The document's agent card (GET /.well-known/agent.json). It claims only what this daemon serves. */
export function agentCard(
  self: Self,
  { version, identity, chiffonAgent = 'code', capabilities = [] }: CardFacts,
) {
  return {
    name: `CACP Agent (${self.repo})`,
    description: `Coding agent for ${self.repo} repository`,
    version,
    url: self.endpoint,
    protocols: { a2a: '0.3', cacp: '2.0' },
    capabilities: [self.language, self.role],
    extensions: {
      cacp: {
        repo: self.repo,
        role: self.role,
        language: self.language,
        agentId: self.agentId,
        supportedContractTypes: ContractType.options,
        supportedContextTypes: ContextType.options,
      },
      cacpd: {
        syncFormat: SYNC_FORMAT,
        ...(identity === undefined
          ? {}
          : { identity: { key: { ...identity.publicKey }, rotations: identity.rotations } }),
      },
      chiffon: {
        endpoint: `${self.endpoint}${CHIFFON_PATH}`,
        versions: CHIFFON_VERSIONS,
        agentType: chiffonAgent,
      },
      coreason: {
        endpoint: `${self.endpoint}/v1/assist`,
        capabilities: capabilities.map(capabilityShown),
      },
    },
  }
}

function capabilityShown({ name, description, delivery_mode, inputs, outputs }: Capability) {
  const type = delivery_mode === 'server_sent_events' ? 'streaming' : 'atomic'
  return { name, type, description, delivery_mode, inputs, outputs }
}

/** GET /.well-known/jwks.json: the keys that verify what this daemon signed. */
export function keySet(keys: readonly PublicKey[]) {
  return { keys: keys.map((key) => ({ ...key, kid: keyIdOf(key), use: 'sig', alg: 'EdDSA' })) }
}
