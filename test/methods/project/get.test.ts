import { expect, test } from 'vitest'
import { LIMITS } from '../../../src/protocol/limits.ts'
import { type Desk, openDesk } from '../../support/desk/desk.ts'

/** A project with two repos, and contracts and questions as many as are asked for. */
async function projectWith(desk: Desk, { contracts = 0, questions = 0, chars = 10 }): Promise<string> {
  const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
  const { projectId } = await desk.call('cacp/project/create', { name: 'Auth', objective: 'o', repos })
  for (let number = 0; number < contracts; number++) {
    const content = { text: 'x'.repeat(chars) }
    await desk.call('cacp/contract/propose', { projectId, type: 'custom', name: `C${number}`, content })
  }
  for (let number = 0; number < questions; number++)
    await desk.call('cacp/context/askQuestion', { projectId, question: `Q${number}?` })
  return projectId
}

test('a project that fits is given whole, with no word about pages', async () => {
  await using desk = await openDesk()
  const projectId = await projectWith(desk, { contracts: 3, questions: 2 })
  const project = await desk.call('cacp/project/get', { projectId })
  expect(project.contracts.map(({ name }) => name)).toEqual(['C0', 'C1', 'C2'])
  expect(project.context_history).toHaveLength(2)
  expect(Object.keys(project)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/cut|left|next|hint/i)]),
  )
})

test('page by page everything comes once, in the order of the whole, and each page tells what it lacks', async () => {
  await using desk = await openDesk()
  const projectId = await projectWith(desk, { contracts: 3, questions: 2 })
  const whole = await desk.call('cacp/project/get', { projectId })
  const pages = [await desk.call('cacp/project/get', { projectId, limit: 3 })]
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor)
    pages.push(await desk.call('cacp/project/get', { projectId, limit: 3, cursor }))
  expect(pages.map(({ leftOut }) => leftOut)).toEqual([
    { repos: 0, contracts: 2, context_history: 2 },
    { repos: 2, contracts: 1, context_history: 1 },
    { repos: 2, contracts: 3, context_history: 1 },
  ])
  for (const part of ['repos', 'contracts', 'context_history'] as const)
    expect(pages.flatMap((page) => page[part] as unknown[])).toEqual(whole[part])
})

test('the lists that are not asked for are left out, and counted', async () => {
  await using desk = await openDesk()
  const projectId = await projectWith(desk, { contracts: 3, questions: 2 })
  const some = await desk.call('cacp/project/get', { projectId, parts: ['context_history'] })
  expect(some).toMatchObject({ name: 'Auth', repos: [], contracts: [] })
  expect(some.context_history).toHaveLength(2)
  expect(some.leftOut).toEqual({ repos: 2, contracts: 3, context_history: 0 })
  expect(some.nextCursor).toBeUndefined()
  expect((await desk.call('cacp/project/get', { projectId, parts: [] })).leftOut?.context_history).toBe(2)
})

test('a project that is too large for one answer says so, how much is missing, and how to get it', async () => {
  await using desk = await openDesk()
  const projectId = await projectWith(desk, { contracts: 40, questions: 1, chars: 250_000 })
  const first = await desk.call('cacp/project/get', { projectId })
  expect(JSON.stringify(first).length).toBeLessThan(LIMITS.projectBytes + 10_000)
  expect(first).toMatchObject({ truncated: true, hint: expect.stringContaining(`"${first.nextCursor}"`) })
  expect(first.leftOut).toEqual({ repos: 0, contracts: 40 - first.contracts.length, context_history: 1 })
  const names = first.contracts.map(({ name }) => name)
  let page: typeof first | undefined = first
  while (page?.nextCursor !== undefined) {
    page = await desk.call('cacp/project/get', { projectId, cursor: page.nextCursor })
    expect(JSON.stringify(page).length).toBeLessThan(LIMITS.answerBytes + 10_000)
    names.push(...page.contracts.map(({ name }) => name))
  }
  expect(names).toEqual(Array.from({ length: 40 }, (_, number) => `C${number}`))
  expect(page?.context_history).toHaveLength(1)
})

test.each(['contracts:none', 'repos:C0'])(
  'a cursor that was never given, such as %s, is refused',
  async (cursor) => {
    await using desk = await openDesk()
    const projectId = await projectWith(desk, { contracts: 1 })
    await expect(desk.call('cacp/project/get', { projectId, cursor })).rejects.toThrow(
      `cursor: ${cursor} is not one that this daemon gave`,
    )
  },
)
