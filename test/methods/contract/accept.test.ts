import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { openThree } from '../../support/daemons/three-repos.ts'
import { type Desk, FRONTEND, openDesk } from '../../support/desk/desk.ts'
import { ME, returning, WITHOUT_EMAIL } from '../../support/desk/user-contract.ts'

const ID_ALONE = returning({ id: 'uuid' })

/** Three repos that agreed to version 1, and a version 2 without the email. */
async function proposedChange(desk: Desk, content: JsonObject = WITHOUT_EMAIL) {
  const three = await openThree(desk)
  const { projectId, backend, frontend, mobile } = three
  const params = { projectId, type: 'api_endpoint', name: 'Get User', content: ME } as const
  const { contractId } = await backend('cacp/contract/propose', params)
  const ids = { projectId, contractId }
  for (const party of [frontend, mobile]) await party('cacp/contract/respond', { ...ids, action: 'agree' })
  const { review: first } = await backend('cacp/contract/update', { ...ids, content })
  const fingerprints = first?.changes.map(({ fingerprint }) => fingerprint) ?? []
  const review = () => backend('cacp/contract/review', ids)
  const of = async (repo: string) => (await review()).repos?.find((one) => one.repo === repo)
  const agree = (accepts?: 'all' | string[]) =>
    frontend('cacp/contract/respond', { ...ids, action: 'agree', ...(accepts && { accepts }) })
  return { ...three, ids, fingerprints, review, of, agree }
}

describe('a repo that a change hurts', () => {
  test('accepts it with its agreement, for itself alone, which stays visible with who and when', async () => {
    await using desk = await openDesk()
    const { agree, fingerprints, of, review } = await proposedChange(desk)
    const [gone = ''] = fingerprints
    expect(await agree([gone])).toMatchObject({
      status: 'agreed',
      review: {
        verdict: 'breaking',
        repos: [
          { repo: 'frontend-app', accepted: [{ fingerprint: gone, by: FRONTEND }] },
          { repo: 'mobile-app' },
        ],
      },
    })
    expect(await of('frontend-app')).toEqual({
      repo: 'frontend-app',
      side: 'both',
      against: { version: 1 },
      verdict: 'breaking',
      because: [gone],
      accepted: [{ fingerprint: gone, by: FRONTEND, at: expect.stringMatching(/^2026-11-16T09:/) }],
    })
    expect(await of('mobile-app')).not.toHaveProperty('accepted')
    expect(await review()).toMatchObject({ verdict: 'breaking' })
  })

  test('accepts all that hurts it at once', async () => {
    await using desk = await openDesk()
    const { agree, of, fingerprints } = await proposedChange(desk, ID_ALONE)
    await agree('all')
    const { because, accepted } = (await of('frontend-app')) ?? {}
    expect(because?.toSorted()).toEqual(fingerprints.toSorted())
    expect(accepted?.map(({ fingerprint }) => fingerprint).sort()).toEqual(fingerprints.toSorted())
  })

  test('may do so after it agreed, and again without effect', async () => {
    await using desk = await openDesk()
    const { agree, of } = await proposedChange(desk)
    await agree()
    expect(await of('frontend-app')).not.toHaveProperty('accepted')
    await agree('all')
    const accepted = await of('frontend-app')
    expect(accepted).toHaveProperty('accepted')
    const before = [...desk.store.statements()].length
    await agree('all')
    expect([...desk.store.statements()].length).toBe(before)
    expect(await of('frontend-app')).toEqual(accepted)
  })

  test('accepted it for a later version of the same change, too', async () => {
    await using desk = await openDesk()
    const { ids, backend, agree, of, fingerprints } = await proposedChange(desk)
    await agree('all')
    await backend('cacp/contract/update', { ...ids, content: { ...WITHOUT_EMAIL, errors: {} } })
    expect(await of('frontend-app')).toMatchObject({
      because: fingerprints,
      accepted: [{ fingerprint: fingerprints[0] }],
    })
  })

  test('accepted it for the version that it had: when it has another one, that is over', async () => {
    await using desk = await openDesk()
    const { ids, backend, frontend, mobile, agree, of } = await proposedChange(desk)
    await agree('all')
    await mobile('cacp/contract/respond', { ...ids, action: 'agree' })
    await frontend('cacp/implementation/start', { ...ids, plan: '' })
    await frontend('cacp/implementation/complete', { ...ids, files: [] })
    expect(await of('frontend-app')).toMatchObject({ against: { version: 2 }, verdict: 'compatible' })
    await backend('cacp/contract/update', { ...ids, content: ME })
    for (const party of [frontend, mobile]) await party('cacp/contract/respond', { ...ids, action: 'agree' })
    await frontend('cacp/implementation/start', { ...ids, plan: '' })
    await frontend('cacp/implementation/complete', { ...ids, files: [] })
    await backend('cacp/contract/update', { ...ids, content: WITHOUT_EMAIL })
    const again = await of('frontend-app')
    expect(again).toMatchObject({ against: { version: 3 }, verdict: 'breaking' })
    expect(again).not.toHaveProperty('accepted')
  })

  test('has accepted it however much was said since', async () => {
    await using desk = await openDesk()
    const { ids, mobile, agree, of, fingerprints } = await proposedChange(desk)
    await agree('all')
    for (let index = 0; index < 510; index++)
      await mobile('cacp/contract/respond', { ...ids, action: 'request_change', comment: `not yet ${index}` })
    expect(await of('frontend-app')).toMatchObject({
      because: fingerprints,
      accepted: [{ fingerprint: fingerprints[0] }],
    })
  })

  test('is compared with what it implemented however much was said since', async () => {
    await using desk = await openDesk()
    const { ids, backend, frontend, mobile, agree, of } = await proposedChange(desk)
    await agree('all')
    await mobile('cacp/contract/respond', { ...ids, action: 'agree' })
    await frontend('cacp/implementation/start', { ...ids, plan: '' })
    await frontend('cacp/implementation/complete', { ...ids, files: [] })
    await backend('cacp/contract/update', { ...ids, content: ID_ALONE })
    for (const party of [frontend, mobile]) await party('cacp/contract/respond', { ...ids, action: 'agree' })
    await backend('cacp/contract/update', { ...ids, content: returning({ id: 'string' }) })
    for (let index = 0; index < 510; index++)
      await mobile('cacp/contract/respond', { ...ids, action: 'request_change', comment: `not yet ${index}` })
    expect(await of('frontend-app')).toMatchObject({ against: { version: 2 } })
  })

  test('cannot accept what does not hurt it', async () => {
    await using desk = await openDesk()
    const { ids, agree, frontend, fingerprints } = await proposedChange(desk)
    const [gone = ''] = fingerprints
    await expect(agree(['0123456789ab'])).rejects.toMatchObject({
      kind: 'not_found',
      message: 'accepts.0: no change 0123456789ab hurts frontend-app',
      next: `There is ${gone} («email» is not returned any more); "all" accepts all of it`,
    })
    await frontend('cacp/contract/expect', { ...ids, uses: ['response.200.body.id'] })
    await expect(agree([gone])).rejects.toMatchObject({
      kind: 'not_found',
      next: 'Leave accepts out: nothing in version 2 hurts frontend-app',
    })
    expect(await agree('all')).toMatchObject({ status: 'agreed' })
  })

  test('cannot accept and object at once', async () => {
    await using desk = await openDesk()
    const { ids, frontend } = await proposedChange(desk)
    const both = frontend('cacp/contract/respond', { ...ids, action: 'reject', accepts: 'all' })
    await expect(both).rejects.toMatchObject({
      kind: 'invalid_params',
      data: { field: 'accepts' },
    })
  })
})
