import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { openThree } from '../../support/daemons/three-repos.ts'
import { type Desk, openDesk } from '../../support/desk/desk.ts'
import { forkContract } from '../../support/desk/forked-contract.ts'
import { ME, returning, WITH_OWNER, WITHOUT_EMAIL } from '../../support/desk/user-contract.ts'

const WITH_AVATAR = returning({ ...ME.response, 'avatar?': 'url' })

async function proposed(desk: Desk, content: JsonObject = ME) {
  const three = await openThree(desk)
  const { projectId, backend, frontend } = three
  const params = { projectId, type: 'api_endpoint', name: 'Get User', content } as const
  const parties = ['backend-api', 'frontend-app']
  const first = await backend('cacp/contract/propose', { ...params, parties })
  const ids = { projectId, contractId: first.contractId }
  const agree = () => frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  return { ...three, ids, first, agree }
}

describe('a review of a contract', () => {
  test('compares the newest version with the one in force', async () => {
    await using desk = await openDesk()
    const { ids, backend, agree } = await proposed(desk)
    await agree()
    await backend('cacp/contract/update', { ...ids, content: WITHOUT_EMAIL })
    expect(await backend('cacp/contract/review', ids)).toEqual({
      form: 'http',
      against: { version: 1 },
      verdict: 'breaking',
      rollout: 'consumers_first',
      changes: [
        {
          at: 'response.200.body.email',
          kind: 'property-removed',
          say: '«email» is not returned any more',
          fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
          verdict: 'breaking',
          breaks: ['frontend-app'],
        },
      ],
      repos: [
        {
          repo: 'frontend-app',
          side: 'both',
          against: { version: 1 },
          verdict: 'breaking',
          because: [expect.stringMatching(/^[0-9a-f]{12}$/)],
        },
      ],
      findings: [],
    })
  })

  test('tells what an update would break before anybody proposes it', async () => {
    await using desk = await openDesk()
    const { ids, backend, frontend, agree } = await proposed(desk)
    await agree()
    const dryRun = (content: JsonObject) => frontend('cacp/contract/review', { ...ids, content })
    expect(await dryRun(WITHOUT_EMAIL)).toMatchObject({ verdict: 'breaking', against: { version: 1 } })
    expect(await dryRun(WITH_AVATAR)).toMatchObject({ verdict: 'compatible', rollout: 'any' })
    expect(await dryRun(WITH_OWNER)).toMatchObject({
      verdict: 'unknown',
      missing: ['nobody has said whether consumers tolerate new_enum_values in «response.200.body.role»'],
    })
    expect(await backend('cacp/contract/get', ids)).toMatchObject({ version: 1, content: ME })
  })

  test('has no verdict where nothing was ever agreed, only findings', async () => {
    await using desk = await openDesk()
    const { ids, backend } = await proposed(desk, { ...ME, errors: undefined })
    const review = await backend('cacp/contract/review', ids)
    expect(review).toMatchObject({ form: 'http', changes: [], findings: [{ rule: 'no-error-response' }] })
    expect(review).not.toHaveProperty('verdict')
    expect(review).not.toHaveProperty('against')
  })

  test('compares any two versions, also backwards', async () => {
    await using desk = await openDesk()
    const { ids, backend } = await proposed(desk)
    await backend('cacp/contract/update', { ...ids, content: WITHOUT_EMAIL })
    await backend('cacp/contract/update', { ...ids, content: WITH_AVATAR })
    const between = (from: number, to: number) => backend('cacp/contract/review', { ...ids, from, to })
    expect(await between(1, 2)).toMatchObject({ verdict: 'breaking', against: { version: 1 } })
    expect(await between(2, 1)).toMatchObject({ verdict: 'compatible', against: { version: 2 } })
    expect(await between(2, 2)).toMatchObject({ verdict: 'compatible', changes: [] })
    await expect(between(7, 1)).rejects.toMatchObject({ kind: 'not_found', data: { field: 'from' } })
  })

  test('calls the end of a contract breaking, though its content stays', async () => {
    await using desk = await openDesk()
    const { ids, backend, agree } = await proposed(desk)
    await agree()
    await backend('cacp/contract/update', { ...ids, retire: true })
    expect(await backend('cacp/contract/review', ids)).toMatchObject({
      verdict: 'breaking',
      rollout: 'consumers_first',
      changes: [{ kind: 'contract-ended', at: '' }],
    })
  })

  test('never calls compatible what was taken away', async () => {
    await using desk = await openDesk()
    const { ids, backend, agree } = await proposed(desk)
    await agree()
    await backend('cacp/contract/update', { ...ids, content: ME })
    const { head } = await backend('cacp/contract/get', ids)
    await backend('cacp/contract/redact', { ...ids, statementId: head.revision, reason: 'a secret' })
    expect(await backend('cacp/contract/review', ids)).toMatchObject({
      verdict: 'unknown',
      missing: ['the content of version 2 was taken away'],
    })
    expect(await backend('cacp/contract/review', { ...ids, from: 2, to: 1 })).toMatchObject({
      verdict: 'unknown',
      missing: ['the content of version 2 was taken away'],
    })
  })

  test('finds the contract by its name in the only project', async () => {
    await using desk = await openDesk()
    const { frontend, agree } = await proposed(desk)
    await agree()
    expect(await frontend('cacp/contract/review', { contractId: 'Get User' })).toMatchObject({
      verdict: 'compatible',
      changes: [],
    })
  })
})

describe('a review of two contents', () => {
  test('needs no project', async () => {
    await using desk = await openDesk()
    const pair = { type: 'api_endpoint', before: ME, after: WITHOUT_EMAIL } as const
    expect(await desk.call('cacp/contract/review', pair)).toMatchObject({ form: 'http', verdict: 'breaking' })
  })

  test('is for consumers that use and tolerate what is said', async () => {
    await using desk = await openDesk()
    const pair = { type: 'api_endpoint', before: ME, after: WITHOUT_EMAIL } as const
    const verdictWith = async (more: object) =>
      (await desk.call('cacp/contract/review', { ...pair, ...more })).verdict
    expect(await verdictWith({ uses: ['response.200.body.id'] })).toBe('compatible')
    expect(await verdictWith({ uses: ['response.200.body.email'] })).toBe('breaking')
    expect(await verdictWith({ tolerates: ['missing_optional'] })).toBe('compatible')
    await expect(verdictWith({ uses: ['response.200.body.emial'] })).rejects.toMatchObject({
      kind: 'not_found',
      data: { field: 'uses.0', places: expect.arrayContaining(['response.200.body.email']) },
    })
  })

  test('says why it understands nothing', async () => {
    await using desk = await openDesk()
    const pair = { before: { v: 1 }, after: { v: 2 } }
    const { form, verdict, missing } = await desk.call('cacp/contract/review', pair)
    expect({ form, verdict }).toEqual({ form: 'opaque', verdict: 'unknown' })
    expect(missing?.[0]).toMatch(/^not understood, because /)
    expect(await desk.call('cacp/contract/review', { ...pair, after: { v: 1 } })).toMatchObject({
      verdict: 'compatible',
    })
  })

  test.each([
    ['nothing', {}, 'contractId'],
    ['one of the two contents', { before: ME }, 'contractId'],
    ['a contract and contents', { contractId: 'x', before: ME, after: ME }, 'contractId'],
    ['a contract and what consumers of contents use', { contractId: 'x', uses: ['a'] }, 'contractId'],
    ['content and a version', { contractId: 'x', content: ME, to: 1 }, 'to'],
  ])('is refused with %s', async (_, params, field) => {
    await using desk = await openDesk()
    await expect(desk.send('cacp/contract/review', params)).rejects.toMatchObject({
      kind: 'invalid_params',
      data: { field },
    })
  })
})

describe('who negotiates is told', () => {
  const BREAKS = {
    against: { version: 1 },
    verdict: 'breaking',
    changes: [{ at: 'response.200.body.email', verdict: 'breaking' }],
  }

  test('what could be said better in a proposal, and nothing where there is nothing to say', async () => {
    await using desk = await openDesk()
    const { first, ids, backend } = await proposed(desk, { ...ME, errors: undefined })
    expect(first.review).toMatchObject({ form: 'http', findings: [{ rule: 'no-error-response' }] })
    expect(first.review).not.toHaveProperty('verdict')
    expect(await backend('cacp/contract/update', { ...ids, content: ME })).not.toHaveProperty('review')
    expect(await backend('cacp/contract/get', ids)).not.toHaveProperty('review')
    const opaque = { ...ids, content: { v: 1 } }
    expect(await backend('cacp/contract/update', opaque)).not.toHaveProperty('review')
  })

  test('with every step what a change does to what is in force, until it is in force itself', async () => {
    await using desk = await openDesk()
    const { first, ids, backend, frontend, agree } = await proposed(desk)
    expect(first).not.toHaveProperty('review')
    expect(await agree()).not.toHaveProperty('review')
    const { review } = await backend('cacp/contract/update', { ...ids, content: WITHOUT_EMAIL })
    expect(review).toMatchObject(BREAKS)
    expect((await frontend('cacp/contract/get', ids)).review).toEqual(review)
    const no = { ...ids, action: 'reject', comment: 'we show it' } as const
    expect((await frontend('cacp/contract/respond', no)).review).toEqual(review)
    expect(await agree()).toMatchObject({ contractStatus: 'agreed', review: BREAKS })
    expect(await backend('cacp/contract/get', ids)).not.toHaveProperty('review')
  })

  test('what the end of a conflict does to what is in force', async () => {
    await using desk = await openDesk()
    const { ids, backend, agree } = await proposed(desk)
    await agree()
    await backend('cacp/contract/update', { ...ids, content: WITHOUT_EMAIL })
    await forkContract(desk, { ...ids, repoName: 'frontend-app', content: WITH_AVATAR })
    const settled = await backend('cacp/contract/resolve', { ...ids, keep: 'loser' })
    expect(settled).toMatchObject({ resolved: 1, review: BREAKS })
  })

  test('nothing about what was withdrawn', async () => {
    await using desk = await openDesk()
    const { ids, backend } = await proposed(desk, { ...ME, errors: undefined })
    await backend('cacp/contract/withdraw', ids)
    expect(await backend('cacp/contract/get', ids)).not.toHaveProperty('review')
  })
})
