import { describe, expect, test } from 'vitest'
import { readStatement, type Statement, textOf } from '../../src/domain/statements/statement.ts'
import { type Stamp, stampOfMillis } from '../../src/protocol/stamp.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { SigningAuthor } from '../support/desk/signing-author.ts'
import { fakePeer } from '../support/network/fake-peer.ts'

/** What a daemon of a broken or hostile mind sends, each time among good statements. It signs as well as anybody. */

interface Scene {
  readonly projectId: string
  readonly contractId: string
  /** What the daemon said itself, by kind; the last one of each. */
  readonly said: (kind: string) => Statement
  readonly author: SigningAuthor
  readonly claim: Statement
  readonly now: Stamp
}

// biome-ignore lint/suspicious/noExplicitAny: results of several methods
type Shown = any

const PEER = { authorization: '', 'x-agent-id': 'aid://example.com/fake@1.0.0' }
const FAR = '9999-12-31T23:59:59.000000Z' as Stamp

async function statementsAt(backend: TestDaemon, projectId: string): Promise<Statement[]> {
  const { ids } = await backend.rpc('cacp/sync/keys', { projectId, count: 1, buckets: [0] }, PEER)
  const { statements } = await backend.rpc('cacp/sync/fetch', { projectId, ids }, PEER)
  return statements.map((text: string) => {
    const read = readStatement(text)
    if ('refused' in read) throw new Error(read.refused)
    return read.statement
  })
}

async function setScene(backend: TestDaemon): Promise<Scene> {
  const { projectId } = await backend.rpc('cacp/project/create', {
    name: 'Auth',
    objective: 'login',
    repos: [{ name: 'backend-api' }, { name: 'fake-app' }],
  })
  const proposed = { projectId, type: 'custom', name: 'Me', content: { v: 1 } }
  const { contractId } = await backend.rpc('cacp/contract/propose', proposed)
  await backend.rpc('cacp/context/askQuestion', { projectId, question: 'why?' })
  const statements = await statementsAt(backend, projectId)
  const said = (kind: string) => {
    const found = statements.findLast((one) => one.kind === kind)
    if (found === undefined) throw new Error(`nobody said a ${kind}`)
    return found
  }
  const author = new SigningAuthor('aid://example.com/fake@1.0.0')
  const now = stampOfMillis(Date.now())
  return { projectId, contractId, said, author, claim: author.claim(projectId, 'fake-app', now), now }
}

const packet = ({ author, claim, now }: Scene, nonce: string): Statement =>
  author.share(claim, now, { nonce: nonce.padEnd(22, 'A') })

/** The next version, with something wrong about it. */
const revision = ({ author, claim, said, now }: Scene, wrong: object): Statement => {
  const parent = said('revision')
  const body = { version: 2, parent: parent.id, parties: parent.body['parties'], ...wrong }
  const content = { value: { evil: true }, note: '' }
  return author.under(claim, { kind: 'revision', about: parent.about, at: now, body, content } as never)
}

/** What another key is named for, and which is then signed with the liar's. */
const inTheNameOf = ({ author, now }: Scene, whose: Statement, said: object): Statement =>
  author.signed({ project_id: whose.project_id, under: whose.id, key: whose.key, at: now, ...said } as never)

const DEEP = `${'{"in":'.repeat(9000)}{}${'}'.repeat(9000)}`

const REFUSED: readonly [string, string, (scene: Scene) => Statement | string][] = [
  ['what is no JSON', 'is not JSON', () => 'nonsense'],
  ['what is no statement', 'id', () => '{"kind":"revision"}'],
  [
    'a statement that is 9,000 levels deep',
    '',
    (scene) => textOf(packet(scene, 'd')).replace(/"we use JWT"/, DEEP),
  ],
  [
    'another content under a known id',
    'id is not the hash',
    ({ said }) => ({ ...said('packet'), id: 'f'.repeat(64) }),
  ],
  [
    'a version of the contract in the name of another repo',
    'sig is not by',
    (scene) => {
      const parent = scene.said('revision')
      const { body, about, content } = parent
      return inTheNameOf(scene, scene.said('claim'), {
        ...{ kind: 'revision', about, content },
        body: { version: 2, parent: parent.id, parties: body['parties'] },
      })
    },
  ],
  [
    'an answer under the claim of another repo',
    'key is not the one that it speaks under',
    ({ author, said, now }) => author.answer(said('claim'), said('revision'), { at: now, action: 'agree' }),
  ],
  [
    'the redaction of another’s packet',
    'of is a statement of somebody else',
    ({ author, claim, said, now }) => author.redact(claim, said('packet'), now),
  ],
  [
    'a confirmation by one who did not found the project',
    'is for the founder',
    ({ author, claim, now }) => author.confirm(claim, claim, now),
  ],
  [
    'an older founding of the same project',
    'about does not come from what it says',
    ({ author, said }) => {
      const { project_id, kind, about, body } = said('project')
      const key = { public_key: { ...author.publicKey }, name: 'Mine' }
      return author.say({
        ...{ project_id, kind, about, at: stampOfMillis(0) },
        body: { ...body, ...key },
      })
    },
  ],
  [
    'a contract under an id that another key gave',
    'about',
    ({ author, claim, said, now }) => {
      const { about, body, content } = said('revision')
      return author.say({
        ...{ project_id: claim.project_id, under: claim.id, kind: 'revision', about, body, at: now },
        ...(content === undefined ? {} : { content }),
      })
    },
  ],
  ['a version that does not follow', 'version', (scene) => revision(scene, { version: 9 })],
  ['version 2^53', '', (scene) => revision(scene, { version: 2 ** 53 })],
  ['version 1.5', 'version', (scene) => revision(scene, { version: 1.5 })],
  ['version "2"', 'version', (scene) => revision(scene, { version: '2' })],
  ['a packet of the year 9999', 'ahead of this clock', ({ author, claim }) => author.share(claim, FAR)],
  [
    'a packet under an id that is a path',
    'about',
    ({ author, claim, now }) =>
      author.under(claim, { kind: 'packet', about: '../../operator.key', at: now, body: {} }),
  ],
  [
    'a packet under an id that is a prototype',
    'about',
    ({ author, claim, now }) =>
      author.under(claim, { kind: 'packet', about: '__proto__', at: now, body: {} }),
  ],
  [
    'a statement of another project, replayed in this one',
    '',
    ({ author, claim, projectId, now }) => {
      const other = author.found(now)
      const elsewhere = author.claim(other.project_id, 'fake-app', now)
      return { ...author.share(elsewhere, now), project_id: projectId, under: claim.id }
    },
  ],
]

/** Everything is as it was, and the next change of the daemon's own agent wins. */
async function expectUnharmed(backend: TestDaemon, { projectId, contractId, said }: Scene): Promise<void> {
  const ids = { projectId, contractId }
  const project = await backend.rpc('cacp/project/get', { projectId })
  expect(project).toMatchObject({ name: 'Auth', objective: 'login' })
  expect(project.repos.map((one: Shown) => one.agent_id)).toContain('aid://example.com/backend@1.0.0')
  expect(project.contracts).toMatchObject([{ contract_id: contractId, version: 1, content: { v: 1 } }])
  const { packets } = await backend.rpc('cacp/context/list', { projectId })
  expect(packets).toContainEqual(
    expect.objectContaining({
      packet_id: said('packet').about,
      content: expect.objectContaining({ question: 'why?' }),
    }),
  )
  const update = { ...ids, content: { v: 2 } }
  expect(await backend.rpc('cacp/contract/update', update)).toMatchObject({ version: 2 })
  expect(await backend.rpc('cacp/contract/get', ids)).toMatchObject({ content: { v: 2 }, conflicts: [] })
}

const sentAs = (one: Statement | string): string => (typeof one === 'string' ? one : textOf(one))

describe('a message of a peer', () => {
  test.each(REFUSED)('with %s: that is refused, and the rest is taken', async (_what, reason, make) => {
    await using backend = await daemon({ open: true })
    await using peer = await fakePeer()
    await backend.rpc('cacp/peer/add', { url: peer.url })
    const scene = await setScene(backend)
    const good = [scene.claim, packet(scene, 'g1'), packet(scene, 'g2')]
    const statements = [scene.claim, packet(scene, 'g1'), make(scene), packet(scene, 'g2')].map(sentAs)
    const { outcomes } = await backend.rpc('cacp/sync/statements', { statements }, PEER)
    expect(outcomes).toEqual([
      { status: 'taken' },
      { status: 'taken' },
      { status: 'refused', reason: expect.stringContaining(reason), retryable: expect.any(Boolean) },
      { status: 'taken' },
    ])
    const known = (await statementsAt(backend, scene.projectId)).map(({ id }) => id)
    expect(known).toEqual(expect.arrayContaining(good.map(({ id }) => id)))
    const { peers } = await backend.rpc('cacp/peer/list')
    expect(peers).toMatchObject([{ refused: { count: 1, newest: [{ reason: outcomes[2].reason }] } }])
    await expectUnharmed(backend, scene)
  })
})

describe('a peer that is asked for what it has', () => {
  test('cannot bring in by that way what it could not send', async () => {
    await using backend = await daemon({ open: true })
    let texts: string[] = []
    let projectId = ''
    await using peer = await fakePeer({
      results: {
        'cacp/sync/digest': () => ({ projects: [{ projectId, digest: 'other', count: texts.length }] }),
        'cacp/sync/buckets': ({ count }) => ({ digests: Array.from({ length: count }, () => 'other') }),
        'cacp/sync/keys': () => ({ ids: texts.map((_, index) => String(index).padStart(64, '0')) }),
        'cacp/sync/fetch': ({ ids }) => ({ statements: ids.length === texts.length ? texts : [] }),
      },
    })
    const scene = await setScene(backend)
    const good = [scene.claim, packet(scene, 'g1'), packet(scene, 'g2')]
    texts = [...good.slice(0, 2), ...REFUSED.map(([, , make]) => make(scene)), ...good.slice(2)].map(sentAs)
    projectId = scene.projectId
    await backend.rpc('cacp/peer/add', { url: peer.url })
    const known = async () => (await statementsAt(backend, projectId)).map(({ id }) => id)
    await expect.poll(known, { timeout: 10_000 }).toEqual(expect.arrayContaining(good.map(({ id }) => id)))
    expect((await backend.rpc('cacp/project/list')).projects).toHaveLength(1)
    await expectUnharmed(backend, scene)
    const { peers } = await backend.rpc('cacp/peer/list')
    expect(peers).toMatchObject([{ health: 'healthy', refused: { count: REFUSED.length } }])
  })

  test('brings in no more than it was asked for', async () => {
    await using backend = await daemon({ open: true })
    const scene = await setScene(backend)
    const { projectId, claim } = scene
    const unasked = packet(scene, 'unasked')
    await using peer = await fakePeer({
      results: {
        'cacp/sync/digest': () => ({ projects: [{ projectId, digest: 'other', count: 1 }] }),
        'cacp/sync/buckets': () => ({ digests: ['other'] }),
        'cacp/sync/keys': () => ({ ids: [claim.id] }),
        'cacp/sync/fetch': () => ({ statements: [textOf(claim), textOf(unasked)] }),
      },
    })
    await backend.rpc('cacp/peer/add', { url: peer.url })
    const fetches = () => peer.calls.filter((name) => name === 'cacp/sync/fetch').length
    await expect.poll(fetches, { timeout: 10_000 }).toBe(1)
    const known = async () => (await statementsAt(backend, projectId)).map(({ id }) => id)
    await expect.poll(known).toContain(claim.id)
    expect(await known()).not.toContain(unasked.id)
  })
})
