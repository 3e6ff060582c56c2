import { describe, expect, test } from 'vitest'
import { contractForm, ownContractForm } from '../../src/domain/plain/form.ts'
import { GivenContract } from '../../src/domain/plain/given.ts'
import { naive, openPlainDesk, PLAIN, type PlainDesk } from '../support/plain-peer/plain-desk.ts'
import { throughJson } from './builders.ts'

type Stage = (at: PlainDesk) => Promise<unknown>

const update = (content: object) => (at: PlainDesk) => at.act('cacp/contract/update', { content })
/** The plain peer answers. */
const answers = (status: 'agreed' | 'negotiating' | 'proposed') => async (at: PlainDesk) => {
  await at.know()
  await at.show(at.held({ status }))
}
const complete: Stage = async (at) => {
  await at.act('cacp/implementation/start')
  await at.act('cacp/implementation/complete', { files: ['a.ts'] })
}
const work = (at: PlainDesk, given: object = {}) => ({
  repo_id: at.plainRepo,
  agent_id: PLAIN,
  status: 'complete' as const,
  files: ['x.py'],
  notes: '',
  plan: null,
  test_endpoint: null,
  started_at: naive(at.desk.clock.now()),
  completed_at: naive(at.desk.clock.now()),
  ...given,
})
/** The plain peer does its part. */
const completesThere: Stage = async (at) => {
  await at.know()
  const { implementations } = at.held()
  await at.show(at.held({ implementations: [...implementations, work(at)] }))
}
const verifies = (status: 'verified' | 'agreed') => async (at: PlainDesk) => {
  await at.know()
  const implementations = at.held().implementations.map((one) => ({
    ...one,
    status: status === 'agreed' ? ('needs_revision' as const) : one.status,
  }))
  await at.show(at.held({ status, implementations }))
}

const proposed: Stage[] = []
const agreed: Stage[] = [answers('agreed')]
const implemented: Stage[] = [...agreed, complete, completesThere]

const STAGES: [string, Stage[]][] = [
  ['proposed', proposed],
  ['negotiating', [answers('negotiating')]],
  ['agreed', agreed],
  ['of two versions', [answers('negotiating'), update({ v: 2 })]],
  ['half done', [...agreed, complete]],
  ['implemented', implemented],
  ['verified', [...implemented, verifies('verified')]],
  ['failed', [...implemented, verifies('agreed')]],
  ['renegotiated after work', [...implemented, answers('negotiating'), update({ v: 2 })]],
]

async function open(stages: readonly Stage[]): Promise<PlainDesk> {
  const at = await openPlainDesk()
  for (const stage of stages) await stage(at)
  return at
}

describe('a contract that a plain peer shows as it was sent, with other times', () => {
  test.each(STAGES)('%s: changes nothing', async (_, stages) => {
    await using at = await open(stages)
    await at.know()
    const before = at.contract()
    expect(await at.show(at.held())).toMatchObject({ status: 'skipped' })
    expect(at.contract()).toBe(before)
  })

  test.each(STAGES)('%s: has the form that we know it by', async (_, stages) => {
    await using at = await open(stages)
    expect(contractForm(GivenContract.parse(throughJson(at.held())))).toEqual(ownContractForm(at.contract()))
  })

  test.each<[string, Stage[]]>([
    ['updated', [update({ v: 2 })]],
    ['updated twice', [update({ v: 2 }), update({ v: 3 })]],
    ['agreed by it and implemented', [...agreed, complete]],
  ])('%s: nothing that was done here since is taken back by it', async (_, stages) => {
    await using at = await openPlainDesk()
    const old = at.held()
    for (const stage of stages) await stage(at)
    const { head, history } = at.contract()
    await at.show({ ...old, updated_at: at.held().updated_at })
    expect(at.contract().head.id).toBe(head.id)
    expect(at.contract().history.works).toEqual(history.works)
  })

  test('what was sent without an answer is not its doing', async () => {
    await using at = await open([])
    await at.know()
    await update({ v: 2 })(at)
    const sent = at.held()
    await at.know({}, false)
    await update({ v: 3 })(at)
    const before = at.contract()
    await at.show({ ...sent, updated_at: at.held().updated_at })
    expect(at.contract()).toBe(before)
  })
})

describe('a status that a plain peer changed', () => {
  test.each([
    ['agrees', proposed, 'agreed', 'agreed', 'agree'],
    ['asks for a change', proposed, 'negotiating', 'negotiating', 'request_change'],
    ['rejects', agreed, 'proposed', 'negotiating', 'reject'],
  ] as const)('%s', async (_, stages, status, expected, action) => {
    await using at = await open(stages)
    await at.know()
    expect(await at.show(at.held({ status }))).toMatchObject({ status: 'updated' })
    expect(at.contract().status).toBe(expected)
    expect(at.contract().answers).toMatchObject([
      { action, agent_id: PLAIN, repo_id: at.plainRepo, reported_by: 'aid://example.com/backend@1.0.0' },
    ])
  })

  test('counts although its clock is slow, and from when it holds its repo', async () => {
    await using at = await openPlainDesk()
    await at.know()
    await at.show(at.held({ status: 'agreed', updated_at: '2020-01-01T00:00:00.000000' }))
    expect(at.contract().status).toBe('agreed')
    const since = at.found().repos.get(at.plainRepo)?.holder?.speaks_by.since
    expect(at.contract().answers).toMatchObject([{ action: 'agree', timestamp: since }])
  })

  test('is its own word, and never that of a third repo', async () => {
    await using at = await openPlainDesk()
    await at.desk.call('cacp/project/addRepo', { projectId: at.projectId, name: 'third-api' })
    const third = at.desk.as('aid://example.com/third@1.0.0')
    await third('cacp/project/join', { projectId: at.projectId, repoName: 'third-api' })
    await at.act('cacp/contract/update', {
      content: { v: 2 },
      parties: ['backend-api', 'plain-api', 'third-api'],
    })
    await at.know()
    await at.show(at.held({ status: 'verified' }))
    expect(at.contract()).toMatchObject({
      status: 'proposed',
      answers: [{ agent_id: PLAIN, action: 'agree' }],
    })
    expect(at.contract().unanswered).toHaveLength(1)
  })

  test('an objection stands against an agreement that it had not seen', async () => {
    await using at = await openPlainDesk()
    await at.know()
    const old = at.held({ status: 'negotiating' })
    await answers('agreed')(at)
    await at.show({ ...old, updated_at: at.held().updated_at })
    expect(at.contract().status).toBe('negotiating')
  })

  test('an agreement to the version before does not slide onto the new one', async () => {
    await using at = await openPlainDesk()
    await at.know()
    const old = at.held({ status: 'agreed' })
    await update({ v: 2 })(at)
    await at.show({ ...old, updated_at: at.held().updated_at })
    expect(at.contract()).toMatchObject({ status: 'proposed', head: { version: 2 }, answers: [] })
    expect(at.contract().in_force?.revision.version).toBe(1)
  })

  test('heard twice is one answer', async () => {
    await using at = await openPlainDesk()
    await at.know()
    const shown = at.held({ status: 'agreed' })
    expect(await at.show(shown)).toMatchObject({ status: 'updated' })
    const before = at.contract()
    expect(await at.show({ ...shown, updated_at: at.held().updated_at })).toMatchObject({ status: 'skipped' })
    expect(at.contract()).toBe(before)
  })
})

describe('a version that a plain peer wrote', () => {
  const updatedThere = (at: PlainDesk, content: object) => {
    const plain = at.held()
    const { version, proposed_by } = plain
    const timestamp = naive(at.desk.clock.now())
    const entry = { version, content: plain.content, proposed_by, timestamp, change_notes: 'theirs' }
    return {
      ...plain,
      version: version + 1,
      content,
      status: 'proposed' as const,
      proposed_by: at.plainRepo,
      history: [...plain.history, entry],
      updated_at: timestamp,
    }
  }

  test('is taken with its note, from when it replaced the one before', async () => {
    await using at = await open([answers('negotiating')])
    await at.know()
    const [before] = at.contract().history.revisions
    const shown = updatedThere(at, { v: 'x' })
    await at.show(shown)
    const { head, history } = at.contract()
    expect(head).toMatchObject({ version: 2, note: 'theirs', parent: before?.id, agent_id: PLAIN })
    expect(head.timestamp).toBe(`${shown.updated_at}Z`)
    expect(history.revisions[0]).toEqual(before)
  })

  test('does not bring the work on the version before along', async () => {
    await using at = await open(implemented)
    await at.know()
    const works = at.contract().history.works.map(({ id }) => id)
    await at.show(updatedThere(at, { v: 'x' }))
    expect(at.contract()).toMatchObject({ status: 'proposed', in_force: { status: 'implemented' } })
    expect(at.contract().history.works.map(({ id }) => id)).toEqual(works)
  })

  test('after it completed the version before, while we were away, is not completed by that', async () => {
    await using at = await open([...agreed, complete])
    await at.know()
    const { implementations } = at.held()
    const done = work(at)
    at.desk.clock.advance(5)
    await at.show({ ...updatedThere(at, { v: 'x' }), implementations: [...implementations, done] })
    expect(at.contract()).toMatchObject({ status: 'proposed', head: { version: 2 } })
    expect(at.contract().in_force).toMatchObject({ status: 'implemented', revision: { version: 1 } })
  })

  test('and one written here at the same time are both kept', async () => {
    await using at = await open([answers('negotiating')])
    await at.know()
    const theirs = updatedThere(at, { v: 'theirs' })
    await update({ v: 'ours' })(at)
    await at.show({ ...theirs, updated_at: at.held().updated_at })
    expect(at.contract().history.revisions).toHaveLength(3)
    expect(at.contract().conflicts).toHaveLength(1)
  })

  test('an older one with a newer time does not win', async () => {
    await using at = await openPlainDesk()
    const old = at.held()
    await update({ v: 2 })(at)
    await at.know()
    const before = at.contract()
    await at.show({ ...old, updated_at: at.held().updated_at })
    expect(at.contract().head).toEqual(before.head)
  })

  test.each([2 ** 53, 7, 0, 1.5])('%s is refused', async (version) => {
    await using at = await openPlainDesk()
    await at.know()
    const shown = { ...at.held(), version, content: { n: 1 }, proposed_by: at.plainRepo }
    expect(await at.show(shown)).toMatchObject({ status: 'error' })
    expect(at.contract().head.version).toBe(1)
  })
})

describe('work that a plain peer did', () => {
  test('is taken as what it is about', async () => {
    await using at = await open([...agreed, complete])
    await at.know()
    const { implementations } = at.held()
    const started = work(at, { status: 'in_progress', completed_at: null })
    await at.show(at.held({ implementations: [...implementations, started] }))
    expect(at.contract().works).toContainEqual(
      expect.objectContaining({
        repo_id: at.plainRepo,
        status: 'in_progress',
        files: [],
        estimated_files: ['x.py'],
        revision: at.contract().head.id,
      }),
    )
    await at.show(at.held({ implementations: [...implementations, work(at)] }))
    expect(at.contract().status).toBe('implemented')
  })

  test('is its own, whatever it shows of others', async () => {
    await using at = await open(agreed)
    await at.know()
    const forged = { ...work(at), repo_id: at.backendRepo, agent_id: 'aid://example.com/backend@1.0.0' }
    await at.show(at.held({ implementations: [forged, work(at)] }))
    expect(at.contract().works.map(({ repo_id }) => repo_id)).toEqual([at.plainRepo])
  })

  test('a verification there is one here', async () => {
    await using at = await open([...implemented, verifies('verified')])
    expect(at.contract().status).toBe('verified')
    expect(at.contract().history.verifications).toMatchObject([{ agent_id: PLAIN, result: 'success' }])
  })

  test('a verification of work that is not here yet waits', async () => {
    await using at = await open([...agreed, completesThere])
    await at.know()
    expect(await at.show(at.held({ status: 'verified' }))).toMatchObject({
      status: 'error',
      retryable: true,
      reason: expect.stringContaining(at.backendRepo),
    })
    expect(at.contract()).toMatchObject({ status: 'agreed', history: { verifications: [] } })
  })

  test('a failure there makes the work here to be done again', async () => {
    await using at = await open([...implemented, verifies('agreed')])
    expect(at.contract()).toMatchObject({
      status: 'agreed',
      works: [{ status: 'needs_revision' }, { status: 'needs_revision' }],
    })
  })

  test('done again alike after it failed is done again', async () => {
    await using at = await open([...implemented, verifies('agreed'), complete])
    await at.know()
    const others = at.held().implementations.filter(({ repo_id }) => repo_id !== at.plainRepo)
    at.desk.clock.advance(5)
    await at.show(at.held({ implementations: [...others, work(at)] }))
    expect(at.contract().status).toBe('implemented')
  })

  test('lists that it shows empty erase nothing', async () => {
    await using at = await open([...implemented, verifies('verified')])
    await at.know()
    const before = at.contract()
    await at.show(at.held({ implementations: [], history: [] }))
    expect(at.contract()).toBe(before)
  })
})
