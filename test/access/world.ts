import { expect, vi } from 'vitest'
import type { Identity } from '../../src/engine/ports/ports.ts'
import { openIdentity } from '../../src/io/identity/identity.ts'
import { systemClock } from '../../src/io/system/clock.ts'
import { Permission } from '../../src/protocol/permission.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { dashboard } from '../support/daemons/dashboard.ts'
import { exchange } from '../support/daemons/exchange.ts'
import { newcomer } from '../support/daemons/newcomer.ts'
import { signKnownToken } from '../support/network/known-token.ts'
import { servePlainPeer } from '../support/plain-peer/server.ts'
import type { CallerName } from './table.ts'

const SELF = 'aid://example.com/backend@1.0.0'
const KNOWN = 'aid://example.com/known@1.0.0'
const PLAIN = 'aid://example.com/plain@1.0.0'
const REPOS = ['backend-api', 'mobile-app', 'web-app', 'plain-api'].map((name) => ({ name }))
const NO_LIMITS = { ratePerStranger: 1_000_000, ratePairing: 1_000_000, ratePerAddress: 1_000_000 }

/** A project with something of everything in it. */
export interface Place {
  readonly projectId: string
  readonly contractId: string
  readonly packetId: string
  readonly requestId: string
  // biome-ignore lint/suspicious/noExplicitAny: as the daemon shows it
  readonly project: any
}

/** One caller, at the daemon that it calls. */
export interface TestCaller {
  readonly at: TestDaemon
  readonly places: Readonly<Record<'all' | 'members', Place>>
  /** Made anew for every request: some are good for one only. */
  headers(need: { permission: Permission | undefined; projectId: string }): Promise<Record<string, string>>
}

export interface AccessWorld extends AsyncDisposable {
  readonly callers: Readonly<Record<CallerName, TestCaller>>
}

/** A daemon with keys and one that is open, and everybody who could call them. */
export async function openWorld(): Promise<AccessWorld> {
  const opened: AsyncDisposable[] = []
  const using = <Thing extends AsyncDisposable>(thing: Thing): Thing => {
    opened.unshift(thing)
    return thing
  }
  const registry = using(await exchange())
  const adp = { adpExchange: registry.url }
  const closed = using(await dashboard({ ...adp, ...NO_LIMITS, allowKnown: true }))
  const open = using(await dashboard({ ...NO_LIMITS, open: true }))
  const known = using(await daemon({ ...adp, repo: 'known', agentId: KNOWN, requireAdp: true }))
  const knownIdentity = await openIdentity(known.dataDir, systemClock)
  const places = await furnish(closed)
  const openPlaces = await furnish(open)

  const keyOf = async (name: string) => {
    const { url } = await closed.rpc('cacp/invite/create', {})
    const { status, body } = await (await newcomer(name)).pair(url)
    expect(status).toBe(200)
    return String(body['apiKey'])
  }
  const joining = async (at: TestDaemon, repoName: string, headers: Record<string, string>) => {
    for (const { projectId } of Object.values(at === closed ? places : openPlaces))
      await at.rpc('cacp/project/join', { projectId, repoName }, headers)
  }
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
  const [outsider, member, other, revoked] = [
    await keyOf('outsider-api'),
    await keyOf('mobile-app'),
    await keyOf('web-app'),
    await keyOf('revoked-api'),
  ]
  await joining(closed, 'mobile-app', bearer(member))
  await joining(closed, 'web-app', bearer(other))
  await closed.rpc('cacp/peer/revoke', { agentId: 'aid://example.com/revoked-api@1.0.0' })

  const plain = using(await servePlainPeer({ agentId: PLAIN, repoName: 'plain-api' }))
  await open.rpc('cacp/peer/add', { url: plain.url })
  const asPlain = { 'x-agent-id': PLAIN, authorization: '' }
  await joining(open, 'plain-api', asPlain)

  const tokens = tokensOf(closed)
  const at = (headers: TestCaller['headers']): TestCaller => ({ at: closed, places, headers })
  const always = (headers: Record<string, string>) => at(async () => headers)
  const ended = await closed.open()
  await ended.rpc('cacp/ui/revoke', { all: true })
  const withToken = (token: string) => ({ 'x-project-token': token, authorization: '' })
  const callers: AccessWorld['callers'] = {
    nobody: always({ authorization: '' }),
    'a key that never was': always(bearer(`cacp_sk_live_${'A'.repeat(43)}`)),
    'a revoked key': always(bearer(revoked)),
    'an expired token': always(withToken(await tokens.expired(places.all.projectId))),
    'a revoked token': always(withToken(await tokens.revoked(places.all.projectId))),
    'a session that was ended': always(ended.posting),
    'a token for another project': at(async ({ projectId }) => {
      const elsewhere = Object.values(places).find((place) => place.projectId !== projectId)
      return withToken(await tokens.for(elsewhere?.projectId ?? '', Permission.options))
    }),
    'a token without the permission': at(async ({ projectId, permission }) =>
      withToken(
        await tokens.for(
          projectId,
          Permission.options.filter((one) => one !== permission),
        ),
      ),
    ),
    'a token with the permission': at(async ({ projectId, permission }) =>
      withToken(await tokens.for(projectId, permission === undefined ? Permission.options : [permission])),
    ),
    known: at(async () => bearer(await proofOf(knownIdentity))),
    'verified, not a member': always(bearer(outsider)),
    'verified member': always(bearer(member)),
    'member of another repo': always(bearer(other)),
    operator: always({}),
    // A new one each time: some calls end all sessions.
    person: at(async () => (await closed.open()).posting),
    'plain peer': { at: open, places: openPlaces, headers: async () => asPlain },
    open: { at: open, places: openPlaces, headers: async () => ({ authorization: '' }) },
  }
  return {
    callers,
    [Symbol.asyncDispose]: async () => {
      for (const thing of opened) await thing[Symbol.asyncDispose]()
    },
  }
}

const proofOf = (identity: Identity): Promise<string> =>
  signKnownToken({ identity, clock: systemClock }, { agentId: KNOWN, audience: SELF })

async function furnish(at: TestDaemon): Promise<Record<'all' | 'members', Place>> {
  const furnished = async (visibility: 'all' | 'members'): Promise<Place> => {
    const named = { name: visibility, objective: 'o', repos: REPOS, visibility }
    const { projectId } = await at.rpc('cacp/project/create', named)
    const proposal = { projectId, type: 'custom', name: 'C', content: { v: 1 } }
    const { contractId } = await at.rpc('cacp/contract/propose', proposal)
    const { packetId } = await at.rpc('cacp/context/askQuestion', { projectId, question: 'which?' })
    const { requestId } = await at.rpc('cacp/file/request', { projectId, description: 'a file' })
    const project = await at.rpc('cacp/project/get', { projectId })
    return { projectId, contractId, packetId, requestId, project }
  }
  return { all: await furnished('all'), members: await furnished('members') }
}

/** Tokens, each issued once. */
function tokensOf(at: TestDaemon) {
  const issued = new Map<string, string>()
  const issue = (projectId: string, permissions: readonly Permission[], more: object = {}) =>
    at.rpc('cacp/token/issue', { projectId, permissions, ...more })
  return {
    async for(projectId: string, permissions: readonly Permission[]): Promise<string> {
      const name = `${projectId} ${permissions.join(' ')}`
      const token = issued.get(name) ?? String((await issue(projectId, permissions)).token)
      issued.set(name, token)
      return token
    },
    async expired(projectId: string): Promise<string> {
      const { token, tokenId } = await issue(projectId, Permission.options, { expiresInSeconds: 1 })
      const status = async () =>
        (await at.rpc('cacp/token/list')).tokens.find((one: { tokenId: string }) => one.tokenId === tokenId)
          .status
      await vi.waitFor(async () => expect(await status()).toBe('expired'), { timeout: 5000 })
      return token
    },
    async revoked(projectId: string): Promise<string> {
      const { token, tokenId } = await issue(projectId, Permission.options)
      await at.rpc('cacp/token/revoke', { tokenId })
      return token
    },
  }
}
