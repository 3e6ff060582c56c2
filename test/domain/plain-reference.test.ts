import { describe, expect, test } from 'vitest'
import { repoIdOf } from '../../src/domain/statements/shared-fields.ts'
import type { ProjectView } from '../../src/domain/view.ts'
import { BACKEND, type Desk, openDesk } from '../support/desk/desk.ts'
import { approve, asPlain, PLAIN } from '../support/plain-peer/plain-desk.ts'
import { docContract, docPacket, docProject, docRepo, docVersion } from './doc-objects.ts'

/** What the reference implementation made by itself is understood, with everything in it. */

const OWN = repoIdOf('p1', 'plain-api')
const OTHER = repoIdOf('p1', 'backend-api')
const repos = [
  docRepo({ assigned_agent: PLAIN, agent_endpoint: 'http://plain:1' }),
  docRepo({ repo_id: 'r2', name: 'backend-api' }),
]

async function openHearing() {
  const desk = await openDesk()
  await approve(desk, PLAIN)
  return desk
}

const send = (desk: Desk, given: object = {}) =>
  desk.send('cacp/project/sync', { project: docProject({ repos, ...given }) }, asPlain)
const foundAt = ({ store }: Desk) => store.view.projects.get('p1') as ProjectView
const contractAt = (desk: Desk) => foundAt(desk).contracts.get('c1')

describe('a project of the reference', () => {
  test('is founded in its own id by whoever reports it', async () => {
    await using desk = await openHearing()
    expect(await send(desk)).toEqual({ status: 'created', projectId: 'p1' })
    expect(foundAt(desk).project).toMatchObject({
      name: 'Auth',
      objective: 'log in',
      visibility: 'all',
      created_by: PLAIN,
      reported_by: BACKEND,
      created_at: '2026-01-01T00:00:00.000000Z',
    })
    expect(await send(desk)).toMatchObject({ status: 'skipped' })
  })

  test('has the repos that it names, by ids that follow from their names, and its own claim', async () => {
    await using desk = await openHearing()
    await send(desk)
    expect([...foundAt(desk).repos.oldestFirst()]).toMatchObject([
      { repo_id: OTHER, name: 'backend-api', holder: undefined },
      {
        repo_id: OWN,
        name: 'plain-api',
        endpoint: 'http://plain:1',
        holder: { agent_id: PLAIN, reported_by: BACKEND, is_confirmed: true },
      },
    ])
  })

  test.each(['assigned_agent', 'agent_id'])('is claimed by the %s of its repo', async (key) => {
    await using desk = await openHearing()
    await send(desk, { repos: [docRepo({ assigned_agent: undefined, [key]: PLAIN })] })
    expect(foundAt(desk).repos.get(OWN)?.holder?.agent_id).toBe(PLAIN)
  })

  test('shown again and again does not grow claims', async () => {
    await using desk = await openHearing()
    await send(desk)
    const before = foundAt(desk).repos.get(OWN)
    for (let times = 0; times < 5; times++)
      await desk.send('cacp/repo/sync', { projectId: 'p1', repo: repos[0] }, asPlain)
    expect(foundAt(desk).repos.get(OWN)).toBe(before)
  })

  test('that another daemon founded is nobody else’s to found', async () => {
    await using desk = await openHearing()
    const project_id = '01a1e395-ae81-8337-9146-56efa2c70c18'
    expect(await send(desk, { project_id })).toMatchObject({ status: 'error', kind: 'forbidden' })
    expect(desk.store.view.projects.size).toBe(0)
  })

  test('says nothing by visibility, created_by or archived', async () => {
    await using desk = await openHearing()
    await send(desk, { visibility: 'members', created_by: 'somebody', archived: true })
    expect(foundAt(desk).project).toMatchObject({ visibility: 'all', created_by: PLAIN, archived: false })
  })
})

describe('a contract of the reference', () => {
  test('has its naive times read as UTC to the microsecond', async () => {
    await using desk = await openHearing()
    await send(desk, { contracts: [docContract()] })
    expect(contractAt(desk)).toMatchObject({
      created_at: '2026-01-01T00:00:00.000001Z',
      created_by: OWN,
      head: { agent_id: PLAIN, repo_id: OWN, reported_by: BACKEND },
    })
  })

  test('has the repos of the project as parties, because it cannot name them', async () => {
    await using desk = await openHearing()
    await send(desk, { contracts: [docContract()] })
    expect(contractAt(desk)?.head.parties).toEqual([OTHER, OWN].sort())
  })

  test('has its history as a chain without conflicts, null notes as no notes', async () => {
    await using desk = await openHearing()
    const history = [docVersion(1), docVersion(2, { change_notes: 'three' })]
    await send(desk, { contracts: [docContract({ version: 3, history })] })
    const { revisions = [] } = contractAt(desk)?.history ?? {}
    expect(revisions.map((one) => one.note)).toEqual(['', '', 'three'])
    expect(revisions.map((one) => one.parent)).toEqual([null, revisions[0]?.id, revisions[1]?.id])
    // A version is of the time when it replaced the one before.
    expect(revisions[2]?.timestamp).toBe('2026-01-01T00:00:02.500000Z')
    expect(contractAt(desk)?.conflicts).toEqual([])
  })

  test.each(['agreed', 'implemented', 'verified'])(
    'that calls itself %s waits for the others all the same',
    async (status) => {
      await using desk = await openHearing()
      await send(desk, { contracts: [docContract({ status })] })
      expect(contractAt(desk)).toMatchObject({ status: 'proposed', unanswered: [OTHER] })
    },
  )

  test('whose only party is itself is agreed when it says so', async () => {
    await using desk = await openHearing()
    await send(desk, { repos: [repos[0]], contracts: [docContract()] })
    const contract = docContract({ status: 'agreed', updated_at: '2026-01-01T00:00:06' })
    await desk.send('cacp/contract/sync', { projectId: 'p1', contract }, asPlain)
    expect(contractAt(desk)?.status).toBe('agreed')
  })

  test('that is sent twice is no news the second time', async () => {
    await using desk = await openHearing()
    await send(desk, { contracts: [docContract()] })
    const contract = docContract()
    expect(await desk.send('cacp/contract/sync', { projectId: 'p1', contract }, asPlain)).toMatchObject({
      status: 'skipped',
    })
  })

  test('heard anew by a daemon that lost it is the same statement', async () => {
    const heard = async () => {
      await using desk = await openHearing()
      await send(desk, { contracts: [docContract()], context_history: [docPacket()] })
      return [...foundAt(desk).said].map(({ id }) => id).sort()
    }
    expect(await heard()).toEqual(await heard())
  })

  test('keeps a key named __proto__ inside its content', async () => {
    await using desk = await openHearing()
    const content = JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as object
    await send(desk, { contracts: [docContract({ content })] })
    expect(JSON.stringify(contractAt(desk)?.head.content)).toBe(JSON.stringify(content))
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})

test('more than is taken at once is taken when it is shown again', async () => {
  await using desk = await openHearing()
  const context_history = Array.from({ length: 250 }, (_, index) => docPacket({ packet_id: `k${index}` }))
  expect(await send(desk, { context_history })).toMatchObject({
    status: 'created',
    refused: [{ kind: 'packet', reason: expect.stringContaining('more than 200') }],
  })
  expect(await send(desk, { context_history })).toEqual({ status: 'updated', projectId: 'p1' })
  expect(foundAt(desk).packets.size).toBe(250)
})

test('a project has no more repos than a project may have', async () => {
  await using desk = await openHearing()
  const many = Array.from({ length: 230 }, (_, index) =>
    docRepo({ repo_id: `r${index}`, name: `repo-${index}` }),
  )
  await send(desk, { repos: many })
  expect(await send(desk, { repos: many })).toMatchObject({
    refused: expect.arrayContaining([
      expect.objectContaining({ kind: 'repo', reason: expect.stringContaining('at most 200') }),
    ]),
  })
  expect(foundAt(desk).repos.size).toBe(200)
})

test('a packet of the reference may leave out its author, its contracts and what it replies to', async () => {
  await using desk = await openHearing()
  const bare = docPacket({ from_agent: null, related_contracts: null, reply_to: undefined })
  await send(desk, { context_history: [bare] })
  expect(foundAt(desk).packets.get('k1')).toMatchObject({
    agent_id: PLAIN,
    repo_id: OWN,
    timestamp: '2026-01-01T00:00:05.123456Z',
    related_contracts: [],
    reply_to: null,
    redacted: null,
    reported_by: BACKEND,
  })
})
