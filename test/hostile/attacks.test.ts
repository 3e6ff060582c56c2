import { describe, expect, test } from 'vitest'
import { idOf, type Statement, withoutContent } from '../../src/domain/statements/statement.ts'
import { arrives, createProject, FRONTEND, pair } from '../cluster/pairs.ts'
import { nonceOf } from '../domain/statements/author.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { inSeconds, invitedBy, refusedOf } from './invited.ts'

/** Real daemons, and one member among them that was invited and is hostile. */

/** A daemon with a project, a contract and a packet of its own, and Eve, who holds a repo of the project too. */
async function attacked() {
  const backend = await daemon()
  const projectId = await createProject(backend)
  await backend.rpc('cacp/project/join', { projectId, repoName: 'backend-api' })
  const { contractId } = await backend.rpc('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Me',
    content: { path: '/me' },
  })
  const { packetId } = await backend.rpc('cacp/context/share', {
    projectId,
    type: 'decision',
    content: { decision: 'JWT' },
  })
  const eve = await invitedBy(backend, 'eve')
  const own = eve.author.claim(projectId, 'eve', inSeconds(0))
  expect(await eve.tell(own)).toEqual([{ status: 'taken' }])
  const said = await eve.hear(projectId)
  const of = (kind: string, about?: string): Statement => {
    const found = said.find((one) => one.kind === kind && (about === undefined || one.about === about))
    if (found === undefined) throw new Error(`nobody said a ${kind}`)
    return found
  }
  const claim = said.find((one) => one.kind === 'claim' && one.id !== own.id) as Statement
  const state = async () => {
    const { repos, contracts, context_history } = await backend.rpc('cacp/project/get', { projectId })
    return {
      repo: repos.find((one: { name: string }) => one.name === 'backend-api'),
      contracts,
      context_history,
    }
  }
  return {
    ...{ backend, projectId, contractId, packetId, eve, own, said, claim, state },
    founding: of('project'),
    revision: of('revision', contractId),
    packet: of('packet', packetId),
    [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose](),
  }
}

type Scene = Awaited<ReturnType<typeof attacked>>

const content = { salt: 'AAAAAAAAAAAAAAAAAAAAAA', value: { value: { path: '/evil' }, note: '' } }
const NOT_ITS_KEY = 'key is not the one that it speaks under'

/** What is said, and why it must be refused. */
const ATTACKS: Record<string, (scene: Scene) => [Statement, string]> = {
  'a later version in the name of another repo': ({ eve: { author }, claim, revision }) => [
    author.revise(claim, revision, { at: inSeconds(1) }),
    NOT_ITS_KEY,
  ],
  'the same in its very key': ({ eve: { author }, claim, revision }) => {
    const { id, sig, ...said } = author.revise(claim, revision, { at: inSeconds(1) })
    return [author.signed({ ...said, key: claim.key }), 'sig is not by the key that it speaks under']
  },
  'other content for the same version, dated back': ({ eve: { author }, revision }) => {
    const { id, sig, ...said } = revision
    return [author.signed({ ...said, at: inSeconds(-900), content }), 'about does not come from what it says']
  },
  'an older beginning of another one’s contract, with another name': ({ eve: { author }, own, revision }) => [
    author.under(own, {
      kind: 'revision',
      about: revision.about,
      at: inSeconds(-900),
      body: { ...revision.body, name: 'Mine' },
    }),
    'about does not come from what it says',
  ],
  'an older founding of the project': ({ eve: { author }, founding }) => {
    const { id, sig, ...said } = founding
    const body = { ...said.body, public_key: { ...author.publicKey }, agent_id: 'eve', name: 'Mine' }
    return [author.say({ ...said, at: inSeconds(-900), body }), 'about does not come from what it says']
  },
  'a redaction of somebody else’s packet': ({ eve: { author }, own, packet }) => [
    author.redact(own, packet, inSeconds(1)),
    'of is a statement of somebody else',
  ],
  'a packet in the name of another repo': ({ eve: { author }, claim }) => [
    author.share(claim, inSeconds(1)),
    NOT_ITS_KEY,
  ],
  'an answer in the name of another repo': ({ eve: { author }, claim, revision }) => [
    author.answer(claim, revision, { at: inSeconds(1), action: 'agree' }),
    NOT_ITS_KEY,
  ],
  'work in the name of another repo': ({ eve: { author }, claim, revision }) => [
    author.work(claim, revision, { at: inSeconds(1), status: 'complete' }),
    NOT_ITS_KEY,
  ],
  'a verification in the name of another repo': ({ eve: { author }, claim, revision }) => [
    author.verify(claim, revision, { at: inSeconds(1), result: 'success', judged: [] }),
    NOT_ITS_KEY,
  ],
  'a sighting in the name of another repo': ({ eve: { author }, claim, revision }) => [
    author.see(claim, revision.about, { at: inSeconds(1), of: inSeconds(0), parts: 1 }),
    NOT_ITS_KEY,
  ],
  'a description of another repo': ({ eve: { author }, own, claim }) => [
    author.under(own, { kind: 'description', about: claim.about, at: inSeconds(1), body: DESCRIPTION }),
    'is about another repo than the one that says it',
  ],
  'a release of another one’s claim': ({ eve: { author }, claim }) => [
    author.release(claim, inSeconds(1)),
    NOT_ITS_KEY,
  ],
  'a confirmation of its own claim': ({ eve: { author }, own }) => [
    author.confirm(own, own, inSeconds(1)),
    'is for the founder of the project',
  ],
  'six hours ahead': ({ eve: { author }, own }) => [
    author.share(own, inSeconds(6 * 3600)),
    'at is more than 5 minutes ahead of this clock',
  ],
  'a rotation to a key that never agreed to it': ({ eve: { author }, own, claim }) => {
    const body = { public_key: { ...(claim.body['public_key'] as object) }, count: 1, proof: 'A'.repeat(86) }
    return [
      author.under(own, { kind: 'rotation', about: own.about, at: inSeconds(1), body } as never),
      'sig is not by the key that it speaks under',
    ]
  },
}

const DESCRIPTION = { role: 'evil', language: 'evil', relevant_paths: [], url: null, endpoint: null }

describe('an invited member that is hostile', () => {
  test.each(Object.entries(ATTACKS))('is refused %s', async (_, attack) => {
    await using scene = await attacked()
    const { eve, backend, state } = scene
    const before = await state()
    const [statement, reason] = attack(scene)
    expect(await eve.tell(statement)).toEqual([
      { status: 'refused', reason, retryable: reason.startsWith('at ') },
    ])
    expect(await state()).toEqual(before)
    expect(await refusedOf(backend, eve.agentId)).toEqual({ count: 1, reasons: [reason] })
  })

  test('is refused what it alters of another one’s words, however it does', async () => {
    await using scene = await attacked()
    const { eve, state, packet, projectId, backend } = scene
    const other = await createProject(backend, { name: 'Other' })
    const { id, sig, ...said } = packet
    const withId = (one: object) => ({ ...one, id: idOf(one as Statement), sig }) as Statement
    const before = await state()
    const outcomes = await eve.tell(
      { ...packet, at: inSeconds(-900) },
      withId({ ...said, at: inSeconds(-900) }),
      withId({ ...said, project_id: other }),
      withId({ ...said, content }),
      { ...packet, content } as Statement,
      ` ${JSON.stringify(packet)}`,
      '{',
    )
    // What was said elsewhere cites nothing here.
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...['refused', 'refused', 'waits', 'refused', 'refused', 'refused', 'refused'],
    ])
    expect(await state()).toEqual(before)
    // The founder may have confirmed a claim meanwhile.
    const heard = (await eve.hear(projectId)).filter(({ kind }) => kind !== 'confirmation')
    expect(heard).toEqual(scene.said.filter(({ kind }) => kind !== 'confirmation'))
    expect((await eve.hear(other)).every(({ kind }) => kind !== 'packet')).toBe(true)
  })

  test('cannot take a content away by leaving it out', async () => {
    await using scene = await attacked()
    const { eve, state, packet } = scene
    const before = await state()
    expect(await eve.tell(withoutContent(packet))).toEqual([{ status: 'known' }])
    expect(await state()).toEqual(before)
  })

  test('gets an answer also to one and the same statement with and without its content', async () => {
    await using scene = await attacked()
    const { eve, own } = scene
    const said = eve.author.share(own, inSeconds(1))
    const outcomes = await eve.tell(withoutContent(said), said, withoutContent(said))
    expect(outcomes.map(({ status }) => status)).toEqual(['waits', 'taken', 'waits'])
  })

  test('gets nothing by an older claim of a repo that is held', async () => {
    await using scene = await attacked()
    const { eve, projectId, state, backend } = scene
    const before = await state()
    const older = eve.author.claim(projectId, 'backend-api', inSeconds(-3600))
    await eve.tell(
      older,
      eve.author.release(older, inSeconds(-1800)),
      eve.author.share(older, inSeconds(-2000)),
    )
    const { repo, contracts } = await state()
    const held = { claims: null, updated_at: null }
    expect({ ...repo, ...held }).toEqual({ ...before.repo, ...held })
    expect(repo.claims.map((one: { standing: string }) => one.standing)).toEqual(['holds', 'outranked'])
    expect(contracts).toEqual(before.contracts)
    await expect(backend.rpc('cacp/contract/propose', PROPOSAL(projectId))).resolves.toBeDefined()
  })

  test('gives one id to one text only, and holds nobody up with two hundred', async () => {
    await using scene = await attacked()
    const { eve, own, backend } = scene
    const honest = eve.author.share(own, inSeconds(1))
    const variants = Array.from({ length: 200 }, (_, index) => ({
      ...honest,
      content: { salt: nonceOf(`${index}`), value: { index } },
    }))
    const outcomes = await eve.tell(honest, ...variants)
    expect(outcomes.filter(({ status }) => status === 'taken')).toHaveLength(1)
    expect((await backend.fetch('/health')).status).toBe(200)
  })

  test('cannot fill the contract of another one until its own words are refused', async () => {
    await using scene = await attacked()
    const { eve, own, revision, backend, projectId, contractId } = scene
    const answers = Array.from({ length: 2000 }, (_, index) =>
      eve.author.answer(own, revision, { at: inSeconds(1 + index / 1000), action: 'reject' }),
    )
    await eve.tell(...answers)
    const updated = await backend.rpc('cacp/contract/update', {
      projectId,
      contractId,
      content: { path: '/me/2' },
      changeNote: 'still mine',
    })
    expect(updated.version).toBe(2)
  })

  test('does not stop the traffic between others with thousands of refusals, nor when it is revoked', async () => {
    await using scene = await attacked()
    const { eve, backend, projectId, claim } = scene
    await using frontend = await daemon(FRONTEND)
    await pair(backend, frontend)
    await bothHealthyBeside(backend, frontend, eve.agentId)
    await arrives(frontend, projectId)
    const refused = Array.from({ length: 5000 }, (_, index) =>
      eve.author.share(claim, inSeconds(0), { nonce: nonceOf(`${index}`) }),
    )
    const telling = eve.tell(...refused)
    const during = (await backend.rpc('cacp/contract/propose', PROPOSAL(projectId))).contractId
    await comes(frontend, { projectId, contractId: during })
    expect((await telling).every(({ status }) => status === 'refused')).toBe(true)
    expect((await refusedOf(backend, eve.agentId)).count).toBe(5000)
    await backend.rpc('cacp/peer/revoke', { agentId: eve.agentId })
    const after = (await backend.rpc('cacp/contract/propose', PROPOSAL(projectId))).contractId
    await comes(frontend, { projectId, contractId: after })
  })
})

const PROPOSAL = (projectId: string) => ({
  projectId,
  type: 'custom',
  name: 'Another',
  content: { is: 'mine' },
})

const comes = (at: Scene['backend'], contract: { projectId: string; contractId: string }) =>
  expect
    .poll(() => at.rpc('cacp/contract/get', contract).catch(() => null), { timeout: 20_000 })
    .not.toBeNull()

/** Eve listens nowhere, which is hers to bear. */
async function bothHealthyBeside(one: Scene['backend'], other: Scene['backend'], agentId: string) {
  const healthOf = async (at: Scene['backend']) =>
    (await at.rpc('cacp/peer/list')).peers
      .filter((peer: { agentId: string }) => peer.agentId !== agentId)
      .map((peer: { health: string }) => peer.health)
  await expect
    .poll(async () => [await healthOf(one), await healthOf(other)], { timeout: 20_000 })
    .toEqual([['healthy'], ['healthy']])
}
