import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/env.ts'
import { BACKEND, type Desk, type Feature, FRONTEND, openDesk, openFeature } from '../../support/desk/desk.ts'

type Until = Record<string, unknown>
interface Waited {
  met: boolean
  condition?: Record<string, unknown>
  about?: Record<string, unknown>
  timedOut?: true
  cursor: string
}

interface Pending {
  /** Whether it still waits, after everything so far had its effect. */
  isPending(): Promise<boolean>
  answer: Promise<Waited>
}

function wait(desk: Desk, until: Until, caller: Partial<Caller> = {}): Pending {
  let isOver = false
  const answer = desk.send('cacp/wait', { until }, { caller }) as Promise<Waited>
  answer
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  return {
    answer,
    isPending: async () => {
      for (let turn = 0; turn < 5; turn++) await desk.call('cacp/project/list', {})
      return !isOver
    },
  }
}

interface Story extends Feature {
  desk: Desk
  contractId: string
  packetId: string
}

async function openStory(desk: Desk): Promise<Story> {
  const feature = await openFeature(desk)
  const { projectId, backend } = feature
  const { contractId } = await backend('cacp/contract/propose', {
    projectId,
    type: 'custom',
    name: 'Profile',
    content: { v: 1 },
  })
  const { packetId } = await backend('cacp/context/askQuestion', { projectId, question: 'Which fields?' })
  return { ...feature, desk, contractId, packetId }
}

const respond =
  (action: 'agree' | 'request_change') =>
  ({ frontend, projectId, contractId }: Story) =>
    frontend('cacp/contract/respond', { projectId, contractId, action })
const agree = respond('agree')
const update = ({ backend, projectId, contractId }: Story) =>
  backend('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
const start = ({ backend, projectId, contractId }: Story) =>
  backend('cacp/implementation/start', { projectId, contractId })
async function implement({ backend, frontend, projectId, contractId }: Story) {
  for (const call of [backend, frontend]) {
    await call('cacp/implementation/start', { projectId, contractId })
    await call('cacp/implementation/complete', { projectId, contractId, files: [] })
  }
}
const verify = ({ frontend, projectId, contractId }: Story) =>
  frontend('cacp/implementation/verify', { projectId, contractId, result: 'success' })
const reply = ({ frontend, projectId, packetId }: Story) =>
  frontend('cacp/context/share', {
    projectId,
    type: 'api_spec',
    content: { fields: ['id'] },
    replyTo: packetId,
  })
const another = ({ backend, projectId }: Story) =>
  backend('cacp/contract/propose', { projectId, type: 'custom', name: 'Another', content: {} })

type Step = (story: Story) => Promise<unknown>
const CONDITIONS: readonly {
  name: string
  until: (story: Story) => Until
  /** Steps after which it still waits, and the one that ends it. */
  notYet: readonly Step[]
  last: Step
  about: (story: Story) => object
}[] = [
  {
    name: 'a contract is agreed',
    until: ({ projectId, contractId }) => ({ contract: { projectId, contractId, statusAtLeast: 'agreed' } }),
    notYet: [respond('request_change'), update, another],
    last: agree,
    about: ({ projectId, contractId }) => ({
      projectId,
      contractId,
      name: 'Profile',
      status: 'agreed',
      version: 2,
    }),
  },
  {
    name: 'a contract is under negotiation',
    until: ({ projectId, contractId }) => ({
      contract: { projectId, contractId, statusAtLeast: 'negotiating' },
    }),
    notYet: [another],
    last: respond('request_change'),
    about: () => ({ status: 'negotiating', version: 1 }),
  },
  {
    name: 'a contract is implemented',
    until: ({ projectId, contractId }) => ({
      contract: { projectId, contractId, statusAtLeast: 'implemented' },
    }),
    notYet: [agree, start],
    last: implement,
    about: () => ({ status: 'implemented' }),
  },
  {
    name: 'a contract is verified',
    until: ({ projectId, contractId }) => ({
      contract: { projectId, contractId, statusAtLeast: 'verified' },
    }),
    notYet: [agree, implement],
    last: verify,
    about: () => ({ status: 'verified' }),
  },
  {
    name: 'a newer version of a contract is agreed, while another is in force',
    until: ({ projectId, contractId }) => ({
      contract: { projectId, contractId, statusAtLeast: 'agreed', versionAbove: 1 },
    }),
    notYet: [agree, update],
    last: agree,
    about: () => ({ version: 2, inForce: { version: 2, status: 'agreed' } }),
  },
  {
    name: 'a contract has a newer version',
    until: ({ projectId, contractId }) => ({ contract: { projectId, contractId, versionAbove: 1 } }),
    notYet: [respond('request_change')],
    last: update,
    about: () => ({ version: 2, status: 'proposed' }),
  },
  {
    name: 'a question is answered by another repo',
    until: ({ projectId, packetId }) => ({ question: { projectId, packetId } }),
    notYet: [
      ({ backend, projectId, packetId }) =>
        backend('cacp/context/share', {
          projectId,
          type: 'api_spec',
          content: { more: 1 },
          replyTo: packetId,
        }),
      ({ frontend, projectId }) => frontend('cacp/context/askQuestion', { projectId, question: 'Else?' }),
    ],
    last: reply,
    about: ({ packetId }) => ({ packetId, type: 'api_spec', from: 'frontend-app', fromAgent: FRONTEND }),
  },
  {
    name: 'a question is answered further down in its conversation',
    until: ({ projectId, packetId }) => ({ question: { projectId, packetId } }),
    notYet: [],
    last: async ({ backend, frontend, projectId, packetId }) => {
      const own = { projectId, type: 'api_spec' as const, content: {} }
      const { packetId: below } = await backend('cacp/context/share', { ...own, replyTo: packetId })
      await frontend('cacp/context/share', { ...own, replyTo: below })
    },
    about: () => ({ from: 'frontend-app' }),
  },
  {
    name: 'a question is taken back',
    until: ({ projectId, packetId }) => ({ question: { projectId, packetId } }),
    notYet: [],
    last: ({ backend, projectId, packetId }) => backend('cacp/context/redact', { projectId, packetId }),
    about: () => ({ redacted: true }),
  },
  {
    name: 'work on a project has begun',
    until: ({ projectId }) => ({ project: { projectId, status: 'implementing' } }),
    notYet: [agree],
    last: start,
    about: ({ projectId }) => ({ projectId, name: 'User Auth Feature', status: 'implementing' }),
  },
  {
    name: 'a project is complete',
    until: ({ projectId }) => ({ project: { projectId, status: 'complete' } }),
    notYet: [agree, implement],
    last: verify,
    about: () => ({ status: 'complete' }),
  },
  {
    name: 'there is something to do',
    until: () => ({ inbox: {} }),
    notYet: [another],
    last: agree,
    about: ({ projectId }) => ({ count: 1, items: [{ kind: 'start_implementation', projectId }] }),
  },
]

describe('waiting until', () => {
  test.each(CONDITIONS)('$name', async ({ until, notYet, last, about }) => {
    await using desk = await openDesk()
    const story = await openStory(desk)
    const condition = until(story)
    const waiting = wait(desk, condition)
    for (const step of notYet) {
      await step(story)
      expect(await waiting.isPending()).toBe(true)
    }
    await last(story)
    const answer = await waiting.answer
    expect(answer).toMatchObject({ met: true, condition, about: about(story) })
    expect(answer.timedOut).toBeUndefined()

    // Who comes when it is true already is answered at once, with the same.
    expect(await wait(desk, condition).answer).toMatchObject({ met: true, condition, about: about(story) })
  })

  test('a contract is that far, also while a change of it is negotiated', async () => {
    await using desk = await openDesk()
    const story = await openStory(desk)
    await agree(story)
    await implement(story)
    await update(story)
    const { projectId, contractId } = story
    const until = (statusAtLeast: string) => ({ contract: { projectId, contractId, statusAtLeast } })
    expect(await wait(desk, until('implemented')).answer).toMatchObject({
      met: true,
      about: { status: 'proposed', version: 2, inForce: { version: 1, status: 'implemented' } },
    })
    expect(await wait(desk, until('verified')).isPending()).toBe(true)
  })

  test('something changed, that the caller may see', async () => {
    await using desk = await openDesk()
    const { backend, projectId } = await openFeature(desk)
    const { cursor } = await backend('cacp/feed/read', {})
    const peer = { kind: 'peer' as const, agentId: 'aid://example.com/other@1.0.0', repoName: 'other' }
    const mine = wait(desk, { feed: { since: cursor } })
    const theirs = wait(desk, { feed: { since: cursor } }, peer)
    const hidden = await backend('cacp/project/create', { name: 'S', objective: '', visibility: 'members' })
    expect(await mine.answer).toMatchObject({ about: { kind: 'project', projectId: hidden.projectId } })
    expect(await theirs.isPending()).toBe(true)
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Shown',
      content: {},
    })
    expect((await theirs.answer).about).toMatchObject({ kind: 'contract', projectId, id: contractId })
  })

  test('any of several is true, and says which', async () => {
    await using desk = await openDesk()
    const story = await openStory(desk)
    const { projectId, contractId, packetId } = story
    const question = { question: { projectId, packetId } }
    const contract = { contract: { projectId, contractId, statusAtLeast: 'verified' } }
    const waiting = wait(desk, { any: [contract, question] })
    await agree(story)
    expect(await waiting.isPending()).toBe(true)
    await reply(story)
    expect(await waiting.answer).toMatchObject({ met: true, condition: question, about: { packetId } })
  })

  test('the inbox of the agent that waits is not empty, not that of another', async () => {
    await using desk = await openDesk()
    const { backend, frontend, projectId } = await openFeature(desk)
    const mine = wait(desk, { inbox: {} })
    const theirs = wait(desk, { inbox: {} }, { agentId: FRONTEND, repoName: null })
    await backend('cacp/contract/propose', { projectId, type: 'custom', name: 'C', content: {} })
    expect((await theirs.answer).about).toMatchObject({ count: 1, items: [{ kind: 'answer_contract' }] })
    expect(await mine.isPending()).toBe(true)
    await frontend('cacp/context/askQuestion', { projectId, question: 'Why?' })
    expect((await mine.answer).about).toMatchObject({ count: 1, items: [{ kind: 'answer_question' }] })
    expect(BACKEND).not.toBe(FRONTEND)
  })
})

describe('the cursor of an answer', () => {
  test('is a place from which nothing is missed', async () => {
    await using desk = await openDesk()
    const story = await openStory(desk)
    const { projectId, contractId } = story
    const waiting = wait(desk, { contract: { projectId, contractId, statusAtLeast: 'agreed' } })
    expect(await waiting.isPending()).toBe(true)
    await agree(story)
    const { cursor } = await waiting.answer
    expect((await desk.call('cacp/feed/read', { since: cursor })).events).toEqual([])
    const next = wait(desk, { feed: { since: cursor } })
    expect(await next.isPending()).toBe(true)
    await another(story)
    expect((await next.answer).about).toMatchObject({ kind: 'contract' })
  })
})

describe('who may not see something', () => {
  test('cannot wait for it, and is told no more than that it is not there', async () => {
    await using desk = await openDesk()
    const { projectId } = await desk.call('cacp/project/create', {
      name: 'S',
      objective: '',
      visibility: 'members',
    })
    const peer = { kind: 'peer' as const, agentId: 'aid://example.com/other@1.0.0', repoName: 'other' }
    for (const until of [
      { project: { projectId, status: 'complete' } },
      { contract: { projectId, contractId: 'c', statusAtLeast: 'agreed' } },
      { question: { projectId, packetId: 'p' } },
    ])
      await expect(wait(desk, until, peer).answer).rejects.toMatchObject({
        kind: 'not_found',
        message: `No project ${projectId} here`,
      })
  })
})

describe('a condition that makes no sense', () => {
  const P = { projectId: 'p' }
  test.each<[string, unknown, RegExp, string]>([
    ['nothing', undefined, /^Invalid params: until required$/, 'contract'],
    ['text', 'agreed', /^Invalid params: until: must be an object$/, 'contract'],
    [
      'no condition',
      {},
      /until: must have exactly one of contract, question, project, gate, inbox, feed, any$/,
      'contract',
    ],
    ['an unknown one', { agent: {} }, /until: must have exactly one of/, 'contract'],
    ['two at once', { inbox: {}, feed: { since: 'x' } }, /until: must have exactly one of/, 'contract'],
    ['a contract without its id', { contract: P }, /until\.contract\.contractId required/, 'contract'],
    [
      'a contract without a goal',
      { contract: { ...P, contractId: 'c' } },
      /must have statusAtLeast, versionAbove or both/,
      'contract',
    ],
    [
      'an unknown status',
      { contract: { ...P, contractId: 'c', statusAtLeast: 'done' } },
      /must be one of proposed, negotiating, agreed, implemented, verified/,
      'contract',
    ],
    [
      'a version that is none',
      { contract: { ...P, contractId: 'c', versionAbove: 1.5 } },
      /until\.contract\.versionAbove: must be/,
      'contract',
    ],
    ['a question without a packet', { question: P }, /until\.question\.packetId required/, 'question'],
    ['a project without a status', { project: P }, /until\.project\.status/, 'project'],
    ['an inbox that is none', { inbox: true }, /until\.inbox: must be an object/, 'inbox'],
    ['a feed without a cursor', { feed: {} }, /until\.feed\.since required/, 'feed'],
    ['any of none', { any: [] }, /until\.any: must have at least 1 item/, 'any'],
    [
      'any of too many',
      { any: Array.from({ length: 17 }, () => ({ inbox: {} })) },
      /until\.any: must have at most 16 items/,
      'any',
    ],
    [
      'any within any',
      { any: [{ any: [{ inbox: {} }] }] },
      /until\.any\.0: must have exactly one of contract, question, project, gate, inbox, feed$/,
      'any',
    ],
    [
      'a bad one among good ones',
      { any: [{ inbox: {} }, { question: P }] },
      /until\.any\.1\.question\.packetId required/,
      'question',
    ],
  ])('%s is refused with an example of a good one', async (_name, until, message, kind) => {
    await using desk = await openDesk()
    const refusal = await desk.send('cacp/wait', { until }).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ kind: 'invalid_params', message: expect.stringMatching(message) })
    const { next } = refusal as { next: string }
    const example = JSON.parse(next.replace('For example ', '')) as { until: object }
    expect(Object.keys(example.until)).toEqual([kind])
    // The example is taken, as far as its ids and cursors may be.
    const tried = await desk
      .send('cacp/wait', { ...example, timeoutSeconds: 1 })
      .catch((error: unknown) => error)
    expect((tried as { kind?: string }).kind ?? 'none').toMatch(/^(?:not_found|stale_cursor|none)$/)
  })

  test.each([0, 601, 1.5, '50'])('a time of %j is refused', async (timeoutSeconds) => {
    await using desk = await openDesk()
    await expect(desk.send('cacp/wait', { until: { inbox: {} }, timeoutSeconds })).rejects.toMatchObject({
      kind: 'invalid_params',
      message: expect.stringContaining('timeoutSeconds: must be'),
      next: expect.stringContaining('"timeoutSeconds": 50'),
    })
  })

  test('a contract that is not here is not found, with the way to wait for its arrival', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    const refusal = await desk
      .send('cacp/wait', { until: { contract: { projectId, contractId: 'late', statusAtLeast: 'agreed' } } })
      .catch((error: unknown) => error)
    const { data, next } = refusal as { data: { cursor: string }; next: string }
    expect(refusal).toMatchObject({ kind: 'not_found', message: `No contract late in project ${projectId}` })
    expect(next).toContain(`wait for {"feed":{"since":"${data.cursor}"}}`)
    const arrival = wait(desk, { feed: { since: data.cursor } })
    await desk.call('cacp/contract/propose', { projectId, type: 'custom', name: 'Late', content: {} })
    expect((await arrival.answer).met).toBe(true)
  })

  test.each([
    ['yesterday', 'invalid_params'],
    ['01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.41', 'stale_cursor'],
  ])('the cursor %s is %s', async (since, kind) => {
    await using desk = await openDesk()
    await expect(wait(desk, { feed: { since } }).answer).rejects.toMatchObject({ kind })
  })
})

test('a wait that is over says whose turn it is since when, and who acted last', async () => {
  await using desk = await openDesk()
  const story = await openStory(desk)
  const { projectId, contractId, packetId } = story
  await respond('request_change')(story)
  const waited = await desk.call('cacp/wait', {
    until: {
      any: [
        { contract: { projectId, contractId, statusAtLeast: 'agreed' } },
        { question: { projectId, packetId } },
        { project: { projectId, status: 'complete' } },
        { feed: { since: (await desk.call('cacp/brief', {})).cursor } },
      ],
    },
    timeoutSeconds: 1,
  })
  const at = expect.any(String)
  expect(waited).toEqual({
    met: false,
    timedOut: true,
    pending: [
      {
        projectId,
        contractId,
        name: 'Profile',
        status: 'negotiating',
        version: 1,
        waitsFor: ['backend-api'],
        to: 'propose a new version',
        since: at,
        objectedBy: ['frontend-app'],
        last: { repo: 'frontend-app', did: 'changes requested', at },
      },
      {
        projectId,
        packetId,
        name: 'Which fields?',
        waitsFor: [],
        to: 'answer it',
        since: at,
        last: { repo: 'backend-api', did: 'asked', at },
      },
      { projectId, name: 'User Auth Feature', status: 'planning' },
    ],
    cursor: expect.any(String),
  })
})
