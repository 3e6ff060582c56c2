import { assertEncrypted } from '../../domain/trust/allowed-endpoint.ts'
import type { FoundAgent } from '../../methods/peers/adp.ts'
import type { Discovery, Peers } from '../../methods/services.ts'
import { classOfHost } from '../../protocol/address-class.ts'
import { cacpEndpoint } from '../../protocol/agent/adp.ts'
import { Fault } from '../../protocol/fault.ts'
import { Endpoint, Name } from '../../protocol/words.ts'
import type { Parts } from '../parts.ts'
import { registerAt } from '../peers/register-at.ts'
import type { Addressee, AdpExchange, ListedAgent, VerifyBytes } from '../ports/ports.ts'
import { readCard } from '../replicate/peer/card.ts'
import { signatureOf, signingKeyOf } from './manifest-signature.ts'

export interface AdpAccess {
  exchange: AdpExchange
  /** Whether the exchange runs on this machine. */
  isLocal: boolean
  verifyBytes: VerifyBytes
}

export interface DiscoveryDeps extends Pick<Parts, 'self' | 'client'> {
  /** Undefined when no exchange is configured; then none is called. */
  adp?: AdpAccess | undefined
  peers: Pick<Peers, 'register'>
  millis: number
}

/** Finds other agents through the exchange. */
export function createDiscovery({ adp, self, client, peers, millis }: DiscoveryDeps): Discovery {
  return {
    async search({ query, role, language, limit, offset }) {
      const filters = {
        protocols: ['cacp'],
        ...(role === undefined ? {} : { roles: [role] }),
        ...(language === undefined ? {} : { languages: [language] }),
      }
      const words = query === '' ? [role, language].filter((word) => word !== undefined).join(' ') : query
      const page = await named(adp).exchange.search({ query: words, filters, limit, offset })
      // An exchange may support fewer filters than ours, and none knows who asks.
      const agents = page.agents
        .flatMap((agent) => foundIn(agent) ?? [])
        .filter((agent) => agent.agentId !== self.agentId)
        .filter((agent) => role === undefined || isSameWord(agent.role, role))
        .filter((agent) => language === undefined || agent.languages.some((one) => isSameWord(one, language)))
      return { agents, total: page.total }
    },

    async add(agentId, env) {
      const agent = await named(adp).exchange.get(agentId)
      const endpoint = agent === undefined ? undefined : cacpEndpoint(agent.manifest)
      if (agent === undefined || endpoint === undefined) throw notFound(agentId)
      assertCallable(endpoint)
      const url = endpoint.replace(/\/+$/, '')
      const to = addresseeOf(agent)
      const repoName = await repoAt(url, { agent, to })
      const theirStatus = await registerAt(url, { client, self, millis, to })
      // Project data goes only to a daemon that accepts this one; otherwise the two have to be paired first.
      if (theirStatus === 'registered') await peers.register({ agentId, endpoint: url, repoName }, env)
      return { agentId, endpoint: url, theirStatus }
    },
  }

  /** Anybody can register any address, so the card there must name the same agent and the key of the manifest. */
  async function repoAt(url: string, { agent, to }: { agent: ListedAgent; to: Addressee }): Promise<string> {
    const card = readCard(await client.get(`${url}/.well-known/agent.json`, millis, to))
    const { aid } = agent.manifest
    const isSameAgent = card.agentId === aid
    const isSameKey =
      card.identity === null || !isSigned(agent) || card.identity.key.x === signingKeyOf(agent)?.x
    if (isSameAgent && isSameKey) return Name.safeParse(card.repo).data ?? aid
    throw new Fault('conflict', `The card at ${url} is not that of the ${aid} which the exchange knows`, {
      next: 'Ask its operator to register it anew',
    })
  }

  /** The certificate counts only if the manifest is signed. */
  function addresseeOf(agent: ListedAgent): Addressee {
    return { certificate: isSigned(agent) ? (agent.manifest.metadata?.cacpd?.certificate ?? null) : null }
  }

  function isSigned(agent: ListedAgent): boolean {
    return signatureOf(agent, named(adp).verifyBytes) === 'valid'
  }

  /** A loopback address that was registered from another machine does not lead to that agent from here. */
  function assertCallable(endpoint: string): void {
    if (!Endpoint.safeParse(endpoint).success || !URL.canParse(endpoint))
      throw new Fault('conflict', 'Its manifest names no http(s) URL to call it at')
    assertEncrypted(endpoint)
    if (classOfHost(new URL(endpoint).hostname) !== 'loopback' || named(adp).isLocal) return
    throw new Fault('conflict', `It is registered at ${endpoint}, which only its own machine can reach`, {
      next: 'Ask its operator to start it with --public-url',
    })
  }

  /** Undefined without an endpoint, because it could not be called. */
  function foundIn(agent: ListedAgent): FoundAgent | undefined {
    const { manifest, isVerified } = agent
    const endpoint = cacpEndpoint(manifest)
    if (endpoint === undefined) return undefined
    return {
      agentId: manifest.aid,
      name: manifest.name,
      description: manifest.description ?? '',
      endpoint,
      role: manifest.metadata?.cacp?.role ?? null,
      languages: manifest.metadata?.cacp?.languages ?? [],
      verified: isVerified,
      signature: signatureOf(agent, named(adp).verifyBytes),
    }
  }
}

function named(adp: AdpAccess | undefined): AdpAccess {
  if (adp !== undefined) return adp
  throw new Fault('unavailable', 'This daemon was told of no ADP exchange', {
    next: 'Start it with --adp-exchange URL, or set adpExchange in its config.json',
  })
}

const notFound = (agentId: string): Fault =>
  new Fault('not_found', `No CACP agent ${agentId} is registered with the exchange`, {
    next: 'Look for others with cacp/adp/search',
    data: { agentId },
  })

const isSameWord = (a: string | null, b: string): boolean => a?.toLowerCase() === b.toLowerCase()
