import { describe, expect, test } from 'vitest'
import type { Decision } from '../../../src/domain/change.ts'
import type { Caller, Env } from '../../../src/domain/env.ts'
import { revokePeer } from '../../../src/domain/peers/peers.ts'
import { takeUpInvites } from '../../../src/domain/repo/newcomer-claims.ts'
import { repoIdOf } from '../../../src/domain/statements/shared-fields.ts'
import { createInvite, type InviteRequest } from '../../../src/domain/trust/invite.ts'
import { apiKeyOf, hashOfSecret } from '../../../src/domain/trust/keys.ts'
import { acceptInviter, admitNewcomer, PairRequest } from '../../../src/domain/trust/pairing.ts'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import type { View } from '../../../src/domain/view.ts'
import type { RepoEntity } from '../../../src/domain/views/entities.ts'
import type { Store } from '../../../src/engine/ports/ports.ts'
import { openStore } from '../../../src/io/store/open-store.ts'
import { create } from '../../../src/methods/project/project.ts'
import { LIMITS } from '../../../src/protocol/limits.ts'
import { ManualClock } from '../../support/desk/desk.ts'
import { signerOf } from '../../support/desk/signer.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'
import { Author } from '../statements/author.ts'

const SELF = 'aid://example.com/backend@1.0.0'
const FRONTEND = 'aid://example.com/frontend@1.0.0'
const { sign, ...SIGNER } = signerOf(SELF)
const SECRET = 's'.repeat(43)
const ANY_INVITE: InviteRequest = { project: null, repoName: null, expiresSeconds: 3600, replaces: null }

const keyOf = (letter: string): PublicKey => new Author(letter).publicKey

const newcomer = (given: Partial<PairRequest> = {}): PairRequest => ({
  agentId: FRONTEND,
  repoName: 'frontend-app',
  endpoint: 'http://127.0.0.1:8081/',
  publicKey: keyOf('F'),
  apiKey: apiKeyOf('f'.repeat(43)),
  proof: 'checked before',
  secret: SECRET,
  ...given,
})

/** A store on a disk that outlives it, and decisions made on it. */
class Place implements AsyncDisposable {
  readonly clock: ManualClock
  readonly #disk: SimulatedDisk
  #store: Store
  #keys = 0

  static async open(): Promise<Place> {
    const clock = new ManualClock()
    const disk = new SimulatedDisk()
    return new Place(clock, disk, await storeOn(disk, clock))
  }

  private constructor(clock: ManualClock, disk: SimulatedDisk, store: Store) {
    this.clock = clock
    this.#disk = disk
    this.#store = store
  }

  async restart(): Promise<void> {
    await this.#store[Symbol.asyncDispose]()
    this.#store = await storeOn(this.#disk, this.clock)
  }

  get view(): View {
    return this.#store.view
  }

  decide<Result>(decision: (view: View, env: Env) => Decision<Result>, kind: Caller['kind'] = 'operator') {
    return this.#store.commit((view) => decision(view, this.#env(kind)))
  }

  invite(given: Partial<InviteRequest> = {}, secret = SECRET) {
    return this.decide((view, env) =>
      createInvite(view, { ...ANY_INVITE, ...given }, { secretHash: hashOfSecret(secret), env }),
    )
  }

  /** Answers with the hash of the key that the newcomer gets. */
  async admit(request: Partial<PairRequest> = {}) {
    const keyHash = `key-${++this.#keys}`
    const admitted = await this.decide(
      (view, env) => admitNewcomer(view, newcomer(request), { keyHash, env }),
      'anonymous',
    )
    return { ...admitted, keyHash }
  }

  keysOf(agentId: string): string[] {
    return [...this.view.keys.oldestFirst()].filter((one) => one.agent_id === agentId).map(({ hash }) => hash)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]()
  }

  #env(kind: Caller['kind']): Env {
    return {
      caller: { kind, agentId: SELF, repoName: null },
      self: {
        agentId: SELF,
        repo: 'backend-api',
        role: 'backend',
        language: 'go',
        endpoint: 'http://127.0.0.1:8080',
        storeId: 'here',
        signer: SIGNER,
      },
      now: this.clock.now(),
      newId: this.clock.newId,
      newNonce: this.clock.newNonce,
      attachment: null,
    }
  }
}

const storeOn = async (disk: SimulatedDisk, clock: ManualClock): Promise<Store> =>
  (await openStore({ directory: '/data', disk, clock, sign })).store

/** Where a project was founded, with these repos. */
async function placeWithProject(...names: string[]): Promise<{ there: Place; projectId: string }> {
  const there = await Place.open()
  return { there, projectId: await found(there, names) }
}

async function found(there: Place, names: readonly string[]): Promise<string> {
  const repos = names.map((name) => ({ name, relevantPaths: [] }))
  const params = { name: 'Auth', objective: 'o', repos, visibility: 'all' as const }
  const { projectId } = (await there.decide((view, env) => create.decide(view, params, env))) as {
    projectId: string
  }
  return projectId
}

/** What the daemon of this key says to take a repo over. */
function claimBy(there: Place, letter: string, about: { projectId: string; repo: string; agentId: string }) {
  const { projectId, repo, agentId } = about
  const author = new Author(letter)
  const at = there.clock.now()
  const body = {
    public_key: { ...author.publicKey },
    agent_id: agentId,
    endpoint: null,
    repo_name: repo,
  }
  const takes = [
    author.say({ project_id: projectId, kind: 'claim', about: repoIdOf(projectId, repo), at, body }),
  ]
  return there.decide(() => ({ result: undefined, takes }))
}

const repoIn = (here: Place, projectId: string, name: string): RepoEntity | undefined =>
  here.view.projects.get(projectId)?.repos.get(repoIdOf(projectId, name))

const NOT_VALID = 'This invite is not valid: it is unknown, expired, or was used'

describe('an invite', () => {
  test('lets one daemon in: pinned, approved, with keys both ways', async () => {
    await using here = await Place.open()
    const invite = await here.invite()
    const { keyHash } = await here.admit()
    expect(here.view.peers.get(FRONTEND)).toMatchObject({
      endpoint: 'http://127.0.0.1:8081',
      repo_name: 'frontend-app',
      trust: 'approved',
      identity: keyOf('F'),
    })
    expect(here.keysOf(FRONTEND)).toEqual([keyHash])
    expect(here.view.credentials.get(FRONTEND)).toEqual({ agent_id: FRONTEND, key: newcomer().apiKey })
    expect(here.view.invites.get(invite.invite_id)?.used_by).toEqual(keyOf('F'))
  })

  test('is kept without its secret', async () => {
    await using here = await Place.open()
    await here.invite()
    expect(JSON.stringify([...here.view.invites.oldestFirst()])).not.toContain(SECRET)
  })

  test('used by two at the same moment lets exactly one in, and the other leaves nothing behind', async () => {
    await using here = await Place.open()
    await here.invite()
    const outcomes = await Promise.allSettled(
      ['A', 'B', 'C', 'D', 'E'].map((letter) =>
        here.admit({
          agentId: `aid://example.com/n-${letter.toLowerCase()}@1.0.0`,
          publicKey: keyOf(letter),
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(here.view.peers.size).toBe(1)
    expect(here.view.keys.size).toBe(1)
    expect(here.view.credentials.size).toBe(1)
  })

  test('survives a restart, unused and used', async () => {
    await using here = await Place.open()
    await here.invite()
    await here.restart()
    await here.admit()
    await here.restart()
    await expect(here.admit({ publicKey: keyOf('X'), agentId: 'aid://x.org/x@1.0.0' })).rejects.toThrow(
      NOT_VALID,
    )
  })

  test('may be used again by the same one, who may not have heard the answer, and then with a fresh key', async () => {
    await using here = await Place.open()
    await here.invite()
    const { keyHash: lost } = await here.admit()
    await here.restart()
    const { keyHash } = await here.admit({ apiKey: apiKeyOf('g'.repeat(43)) })
    expect(here.keysOf(FRONTEND).sort()).toEqual([lost, keyHash].sort())
    expect(here.view.keys.get(lost)?.retires_at).not.toBeNull()
    expect(here.view.credentials.get(FRONTEND)?.key).toBe(apiKeyOf('g'.repeat(43)))
    expect(here.view.peers.size).toBe(1)
  })

  test('does not let the same one in a second time under another name', async () => {
    await using here = await Place.open()
    await here.invite()
    await here.admit()
    await expect(here.admit({ agentId: 'aid://example.com/second@1.0.0' })).rejects.toThrow(NOT_VALID)
    expect(here.view.peers.size).toBe(1)
  })

  test('that is used again does not make the newcomer the agent of another repo', async () => {
    await using here = await Place.open()
    await here.invite()
    await here.admit()
    await here.admit({ repoName: 'payroll' })
    expect(here.view.peers.get(FRONTEND)?.repo_name).toBe('frontend-app')
  })

  test('does not let that one in again after it was shut out', async () => {
    await using here = await Place.open()
    await here.invite()
    await here.admit()
    await here.decide((view) => revokePeer(view, FRONTEND))
    await expect(here.admit()).rejects.toThrow(NOT_VALID)
    expect(here.keysOf(FRONTEND)).toEqual([])
  })

  test.each([
    ['is unknown', { secret: 'x'.repeat(43) }, 0],
    ['is no secret at all', { secret: '' }, 0],
    ['has expired', {}, 3601],
    ['was used by somebody else', { publicKey: keyOf('Z'), agentId: 'aid://z.org/z@1.0.0' }, 0],
  ])('that %s is refused in the same words', async (what, request, seconds) => {
    await using here = await Place.open()
    await here.invite()
    if (what.startsWith('was used')) await here.admit()
    const before = here.view.peers.size
    here.clock.advance(seconds)
    await expect(here.admit(request)).rejects.toMatchObject({ kind: 'forbidden', message: NOT_VALID })
    expect(here.view.peers.size).toBe(before)
  })

  test('that has expired goes when the next one is made', async () => {
    await using here = await Place.open()
    const old = await here.invite({}, 'old')
    here.clock.advance(3601)
    await here.invite()
    expect(here.view.invites.get(old.invite_id)).toBeUndefined()
  })

  test('is one of so many that may wait, those that were used not counted', async () => {
    await using here = await Place.open()
    for (let n = 0; n < LIMITS.invites; n++) await here.invite({}, `secret ${n}`)
    await expect(here.invite()).rejects.toThrow('wait to be used')
    await here.admit({ secret: 'secret 7' })
    await here.invite()
    await expect(here.invite()).rejects.toThrow('wait to be used')
  })

  test('does not let anybody take the name of one who is known', async () => {
    await using here = await Place.open()
    await here.invite({}, 'first')
    await here.admit({ secret: 'first' })
    await here.invite()
    await expect(here.admit({ publicKey: keyOf('X') })).rejects.toMatchObject({
      kind: 'conflict',
      next: expect.stringContaining(`cacpd invite --replace ${FRONTEND}`),
    })
    await expect(here.admit({ agentId: SELF })).rejects.toThrow('Both daemons go by')
    // Nothing of that used it up.
    await here.admit({ agentId: 'aid://example.com/mobile@1.0.0', publicKey: keyOf('M') })
  })

  test('does not let anybody take the name of an agent that works with this daemon, unless it is to', async () => {
    await using here = await Place.open()
    await here.decide((_view, { now }) => ({
      result: undefined,
      local: [{ table: 'guest', id: FRONTEND, value: { agent_id: FRONTEND, since: now } }],
    }))
    await here.invite({}, 'first')
    await expect(here.admit({ secret: 'first' })).rejects.toMatchObject({
      kind: 'conflict',
      next: expect.stringContaining(`cacpd invite --replace ${FRONTEND}`),
    })
    expect(here.view.peers.size).toBe(0)
    await here.invite({ replaces: FRONTEND })
    await here.admit()
    expect(here.view.peers.get(FRONTEND)?.trust).toBe('approved')
    expect(here.view.guests.size).toBe(0)
  })

  test('does not make this daemon call an address that the newcomer is not at', async () => {
    await using here = await Place.open()
    await here.invite()
    await expect(here.admit({ endpoint: 'http://192.168.1.1' })).rejects.toThrow('endpoint')
  })
})

test('a key that can be written in another way is none, because keys are compared as they are written', () => {
  const x = `${'A'.repeat(42)}E`
  const request = newcomer({ publicKey: { kty: 'OKP', crv: 'Ed25519', x } })
  expect(PairRequest.safeParse(request).success).toBe(true)
  expect(
    PairRequest.safeParse({ ...request, publicKey: { ...request.publicKey, x: x.replace('E', 'F') } })
      .success,
  ).toBe(false)
})

describe('an invite for a project', () => {
  test('keeps its repo for the newcomer, who claims it by its own key', async () => {
    const { there: here, projectId } = await placeWithProject('frontend-app')
    await using _ = here
    await here.invite({ project: projectId })
    const given = { project_id: projectId, repo_name: 'frontend-app', at: expect.any(String) }
    expect(await here.admit()).toMatchObject({ projectId, claimedRepo: 'frontend-app', gives: [given] })
    expect(repoIn(here, projectId, 'frontend-app')?.holder).toBeUndefined()
    expect(here.view.peers.get(FRONTEND)?.invited_to).toEqual([given])
  })

  test('is refused for a project that is not here', async () => {
    const { there: here } = await placeWithProject()
    await using _ = here
    await expect(here.invite({ project: 'Nothing' })).rejects.toThrow('No project Nothing here')
  })

  test('names a repo that the project does not have yet', async () => {
    const { there: here, projectId } = await placeWithProject()
    await using _ = here
    await here.invite({ project: projectId })
    await here.admit({ role: 'frontend', language: 'typescript' })
    expect(repoIn(here, projectId, 'frontend-app')).toMatchObject({
      role: 'frontend',
      language: 'typescript',
    })
  })

  test('can say which repo, whatever the newcomer calls its own', async () => {
    const { there: here, projectId } = await placeWithProject('web')
    await using _ = here
    await here.invite({ project: projectId, repoName: 'web' })
    expect(await here.admit()).toMatchObject({ gives: [{ repo_name: 'web' }] })
    expect(here.view.peers.get(FRONTEND)?.repo_name).toBe('web')
  })

  test('is answered alike to a newcomer that asks again', async () => {
    const { there: here, projectId } = await placeWithProject('frontend-app')
    await using _ = here
    await here.invite({ project: projectId })
    const { gives } = await here.admit()
    expect((await here.admit()).gives).toEqual(gives)
  })

  test('is refused for a repo that somebody holds, when it is made and when it is used', async () => {
    const { there: here, projectId } = await placeWithProject('web')
    await using _ = here
    await claimBy(here, 'H', { projectId, repo: 'web', agentId: 'aid://example.com/holder@1.0.0' })
    await expect(here.invite({ project: projectId, repoName: 'web' })).rejects.toThrow('is held by')
    await here.invite({ project: projectId })
    await expect(here.admit({ repoName: 'web' })).rejects.toThrow('already claimed')
    expect(here.view.peers.size).toBe(0)
  })
})

describe('an invite that replaces an agent', () => {
  const paired = async () => {
    const { there: here, projectId } = await placeWithProject('frontend-app')
    await here.invite({ project: projectId }, 'first')
    const { keyHash } = await here.admit({ secret: 'first' })
    await claimBy(here, 'F', { projectId, repo: 'frontend-app', agentId: FRONTEND })
    return { here, keyHash, projectId }
  }

  test('lets the same name back in with another identity, and the old keys are gone', async () => {
    const { here, keyHash, projectId } = await paired()
    await using _ = here
    await here.invite({ replaces: FRONTEND })
    const back = await here.admit({ publicKey: keyOf('N'), endpoint: 'http://127.0.0.1:9000' })
    expect(here.keysOf(FRONTEND)).toEqual([back.keyHash])
    expect(here.keysOf(FRONTEND)).not.toContain(keyHash)
    expect(here.view.peers.get(FRONTEND)).toMatchObject({ identity: keyOf('N'), repo_name: 'frontend-app' })
    expect(repoIn(here, projectId, 'frontend-app')).toMatchObject({
      holder: undefined,
      claims: [{ standing: 'settled', counts_until: expect.any(String) }],
    })
    expect(back.gives).toMatchObject([{ project_id: projectId, repo_name: 'frontend-app' }])
  })

  test('gives the repos of the old agent to one of another name, who then holds them', async () => {
    const { here, projectId } = await paired()
    await using _ = here
    await here.invite({ replaces: FRONTEND })
    const agentId = 'aid://new-laptop/frontend@1.0.0'
    await here.admit({ agentId, publicKey: keyOf('N'), repoName: 'whatever' })
    expect(here.view.peers.get(FRONTEND)).toBeUndefined()
    expect(here.keysOf(FRONTEND)).toEqual([])
    expect(here.view.credentials.get(FRONTEND)).toBeUndefined()
    expect(here.view.peers.get(agentId)?.repo_name).toBe('frontend-app')
    await claimBy(here, 'N', { projectId, repo: 'frontend-app', agentId })
    expect(repoIn(here, projectId, 'frontend-app')?.holder).toMatchObject({ agent_id: agentId })
  })

  test('works a second time for the same newcomer only', async () => {
    const { here } = await paired()
    await using _ = here
    await here.invite({ replaces: FRONTEND })
    await here.admit({ publicKey: keyOf('N') })
    await here.admit({ publicKey: keyOf('N') })
    await expect(here.admit({ publicKey: keyOf('O') })).rejects.toThrow(NOT_VALID)
    expect(here.view.peers.get(FRONTEND)?.identity).toEqual(keyOf('N'))
  })

  test('is only made for an agent that is known here', async () => {
    await using here = await Place.open()
    await expect(here.invite({ replaces: FRONTEND })).rejects.toThrow(`No peer ${FRONTEND} here`)
    await expect(here.invite({ replaces: SELF })).rejects.toThrow('is the agent of this daemon')
  })
})

describe('whoever joins', () => {
  const answer = {
    agentId: FRONTEND,
    repoName: 'frontend-app',
    endpoint: 'http://127.0.0.1:8081',
    publicKey: keyOf('F'),
    apiKey: apiKeyOf('f'.repeat(43)),
    proof: 'checked before',
    certificate: 'ab'.repeat(32),
    repos: [],
  }

  test('pins the inviter with the certificate of the URL', async () => {
    await using here = await Place.open()
    await here.decide((view, env) => acceptInviter(view, answer, { keyHash: 'ours', env }))
    expect(here.view.peers.get(FRONTEND)).toMatchObject({
      trust: 'approved',
      identity: keyOf('F'),
      certificate: 'ab'.repeat(32),
      reach: 'operator',
    })
    expect(here.keysOf(FRONTEND)).toEqual(['ours'])
    expect(here.view.credentials.get(FRONTEND)?.key).toBe(answer.apiKey)
  })

  test('does not let an inviter take the name of a peer that is known with another identity', async () => {
    await using here = await Place.open()
    await here.decide((view, env) => acceptInviter(view, answer, { keyHash: 'ours', env }))
    const other = { ...answer, publicKey: keyOf('X') }
    await expect(
      here.decide((view, env) => acceptInviter(view, other, { keyHash: 'more', env })),
    ).rejects.toMatchObject({ next: expect.stringContaining(`cacpd peers remove ${FRONTEND}`) })
  })

  test('claims the repos that the invite gives as soon as their project is here', async () => {
    await using here = await Place.open()
    const author = new Author('F')
    const founding = author.found(here.clock.now())
    const { project_id: projectId } = founding
    const given = { projectId, repoName: 'web', at: here.clock.now() }
    await here.decide((view, env) =>
      acceptInviter(view, { ...answer, repos: [given] }, { keyHash: 'ours', env }),
    )
    await here.decide(takeUpInvites)
    expect(here.view.peers.get(FRONTEND)?.promised).toHaveLength(1)
    await here.decide(() => ({ result: undefined, takes: [founding] }))
    await here.decide(takeUpInvites)
    expect(repoIn(here, projectId, 'web')?.holder).toMatchObject({ agent_id: SELF, is_confirmed: false })
    expect(here.view.peers.get(FRONTEND)?.promised).toEqual([])
  })
})
