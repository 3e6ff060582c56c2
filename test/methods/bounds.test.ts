import { describe, expect, test } from 'vitest'
import { admit } from '../../src/domain/statements/admit.ts'
import { readStatement, textOf } from '../../src/domain/statements/statement.ts'
import { LIMITS } from '../../src/protocol/limits.ts'
import { Author } from '../domain/statements/author.ts'
import { FRONTEND, OUTSIDER, openDesk, openFeature } from '../support/desk/desk.ts'

const deep = (levels: number): object => (levels === 0 ? {} : { inner: deep(levels - 1) })
const HELLO = { name: 'hello.txt', content: 'aGVsbG8=' }

describe('what is acknowledged here can be handed over', () => {
  test('no packet is larger than a peer takes, whatever it is put together from', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const options = Array.from({ length: 40 }, () => 'x'.repeat(10_000))
    await expect(
      backend('cacp/context/askQuestion', { projectId, question: '?', options }),
    ).rejects.toMatchObject({
      kind: 'too_large',
    })
    await expect(
      backend('cacp/context/recordDecision', {
        projectId,
        decision: 'd',
        chosen: 'c',
        rationale: 'r',
        implications: options,
      }),
    ).rejects.toMatchObject({ kind: 'too_large' })
  })

  test('the deepest content that is taken is admitted by every other daemon', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const propose = (levels: number) =>
      backend('cacp/contract/propose', {
        projectId,
        type: 'custom',
        name: 'Deep',
        content: deep(levels) as never,
      })
    await expect(propose(LIMITS.depth)).rejects.toMatchObject({ kind: 'invalid_params' })
    const { contractId } = await propose(LIMITS.depth - 2)
    const said = desk.store.view.projects.get(projectId)?.said
    const [revision] = said?.saidAbout(contractId, 'revision') ?? []
    if (said === undefined || revision === undefined) throw new TypeError('it was said')
    expect(readStatement(textOf(revision))).toEqual({ statement: revision })
    const admitted = {
      fact: (id: string) => said.fact(id),
      founding: () => said.founding,
      redactionsOf: () => [],
    }
    expect(admit(revision, admitted, desk.clock.now())).toMatchObject({ outcome: 'admitted' })
  })

  test('a history may be as long as it likes: the bounds are on what one says at once', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const proposal = { projectId, type: 'custom' as const, name: 'C', content: {} }
    const { contractId } = await backend('cacp/contract/propose', proposal)
    for (let n = 0; n < 40; n++)
      await backend('cacp/contract/update', {
        projectId,
        contractId,
        content: { text: 'x'.repeat(250_000), n },
      })
    await expect(
      desk.as(FRONTEND)('cacp/contract/respond', { projectId, contractId, action: 'agree' }),
    ).resolves.toMatchObject({ contractStatus: 'agreed' })
  }, 60_000)

  test('a daemon brings no more repos to a project than the limit, also where its agents bring their own', async () => {
    await using desk = await openDesk()
    const repos = Array.from({ length: LIMITS.repos }, (_, n) => ({ name: `r${n}` }))
    const { projectId } = await desk.call('cacp/project/create', { name: 'P', objective: 'o', repos })
    await expect(desk.call('cacp/project/addRepo', { projectId, name: 'x' })).rejects.toMatchObject({
      kind: 'too_large',
    })
    await expect(desk.call('cacp/project/join', { projectId })).rejects.toMatchObject({ kind: 'too_large' })
  })

  test('repos that another daemon named are in the way of nobody but itself', async () => {
    await using desk = await openDesk()
    const { projectId } = await desk.call('cacp/project/create', { name: 'P', objective: 'o', repos: [] })
    const other = new Author('other')
    const own = other.claim(projectId, 'other', desk.clock.now())
    const names = Array.from({ length: 2 * LIMITS.repos }, (_, n) =>
      other.nameRepo(own, `a${n}`, desk.clock.now()),
    )
    await desk.store.commit(() => ({ result: undefined, takes: [own, ...names] }))
    await desk.call('cacp/project/addRepo', { projectId, name: 'honest' })
    await desk.call('cacp/project/join', { projectId })

    const { projects } = await desk.call('cacp/project/overview', { projectId })
    const [{ repos = [], repoCount } = {}] = projects
    expect(repos).toHaveLength(LIMITS.repos)
    expect(repos.slice(0, 2).map(({ name }) => name)).toEqual(['backend-api', 'other'])
    expect(repoCount).toBe(names.length + 3)
    await expect(desk.as(FRONTEND)('cacp/project/join', { projectId, repoName: 'x' })).rejects.toMatchObject({
      next: expect.stringMatching(/^Its repos: (?:[^,]+, ){19}[^,]+ and 383 more\. /),
    })
  })
})

test('a refused call leaves no file behind', async () => {
  await using desk = await openDesk()
  await openFeature(desk)
  await expect(desk.call('cacp/file/share', { projectId: 'nope', file: HELLO })).rejects.toMatchObject({
    kind: 'not_found',
  })
  expect(desk.disk.paths().filter((path) => path.includes('/files/'))).toEqual([])
})

test('only a member or the operator archives a project', async () => {
  await using desk = await openDesk()
  const { projectId } = await openFeature(desk)
  const outsider = { caller: { kind: 'open' as const, agentId: OUTSIDER, repoName: null } }
  await expect(desk.send('cacp/project/archive', { projectId }, outsider)).rejects.toMatchObject({
    kind: 'not_member',
  })
  await expect(desk.send('cacp/project/archive', { projectId })).resolves.toMatchObject({
    status: 'archived',
  })
})

test('a long context is read page by page, newest first, and no page exceeds the bound', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  for (let n = 0; n < 12; n++)
    await backend('cacp/context/share', {
      projectId,
      type: 'test_case',
      content: { n, text: 'x'.repeat(200_000) },
    })
  const seen: unknown[] = []
  let before: string | undefined
  for (;;) {
    const page = await backend('cacp/context/list', {
      projectId,
      ...(before === undefined ? {} : { before }),
    })
    expect(JSON.stringify(page).length).toBeLessThan(LIMITS.answerBytes * 1.1)
    seen.unshift(...page.packets.map((packet) => packet.content['n']))
    if (page.truncated !== true) break
    before = page.packets[0]?.packet_id
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})

test('a long conversation is read page by page, oldest first, and no page exceeds the bound', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  const share = (n: number, replyTo?: string) =>
    backend('cacp/context/share', {
      projectId,
      type: 'test_case',
      content: { n, text: '€'.repeat(66_000) },
      ...(replyTo === undefined ? {} : { replyTo }),
    })
  const { packetId } = await share(0)
  for (let n = 1; n < 12; n++) await share(n, packetId)
  const seen: unknown[] = []
  let after: string | undefined
  for (;;) {
    const page = await backend('cacp/context/getThread', {
      projectId,
      packetId,
      ...(after === undefined ? {} : { after }),
    })
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(LIMITS.answerBytes * 1.1)
    seen.push(...page.thread.map((packet) => packet.content['n']))
    if (page.truncated !== true) break
    after = page.thread.at(-1)?.packet_id
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  await expect(
    backend('cacp/context/getThread', { projectId, packetId, after: 'nowhere' }),
  ).rejects.toMatchObject({ kind: 'not_found', details: { field: 'after' } })
})

test('of a long conversation the first packet and the last ones can be had, with how many are in between', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  const share = (n: number, replyTo?: string, text = '') =>
    backend('cacp/context/share', {
      projectId,
      type: 'test_case',
      content: { n, text },
      ...(replyTo === undefined ? {} : { replyTo }),
    })
  const { packetId } = await share(0)
  const ids = [packetId]
  for (let n = 1; n < 10; n++) ids.push((await share(n, packetId)).packetId)
  const ends = async (last: number, about: object = {}) => {
    const { thread, left, truncated } = await backend('cacp/context/getThread', {
      projectId,
      packetId: ids[5] ?? '',
      last,
      ...about,
    })
    return { numbers: thread.map(({ content }) => content['n']), left, truncated }
  }
  expect(await ends(3)).toEqual({ numbers: [0, 7, 8, 9], left: 6, truncated: undefined })
  expect(await ends(50)).toEqual({ numbers: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], left: 0, truncated: undefined })
  expect(await ends(2, { after: ids[3] })).toEqual({ numbers: [4, 8, 9], left: 3, truncated: undefined })
  for (let n = 10; n < 20; n++) await share(n, packetId, '€'.repeat(66_000))
  const { numbers, left = 0, truncated } = await ends(15)
  expect(truncated).toBe(true)
  expect([numbers[0], numbers.at(-1)]).toEqual([0, 19])
  expect(numbers.length + left).toBe(20)
})
