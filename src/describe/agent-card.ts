import type { Self } from '../domain/env.ts'
import type { PublicKey } from '../domain/trust.ts'
import { SYNC_FORMAT } from '../methods/replication.ts'
import { ContextType, ContractType } from '../protocol/words.ts'

export interface CardFacts {
  version: string
  /** The key by which peers know this daemon, and how those before it vouched for it. */
  identity?: { readonly publicKey: PublicKey; readonly rotations: readonly string[] }
}

/** The document's agent card (GET /.well-known/agent.json). It claims only what this daemon serves. */
export function agentCard(self: Self, { version, identity }: CardFacts) {
  return {
    name: `CACP Agent (${self.repo})`,
    description: `Coding agent for ${self.repo} repository`,
    version,
    url: self.endpoint,
    protocols: { cacp: '2.0' },
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
    },
  }
}
