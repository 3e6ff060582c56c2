import { describe, expect, test } from 'vitest'
import { addMicros, type Stamp } from '../../../src/protocol/stamp.ts'
import { openDesk } from '../../support/desk/desk.ts'
import { approve } from '../../support/plain-peer/plain-desk.ts'

const PEER = 'aid://example.com/peer@1.0.0'
const asPeer = { caller: { kind: 'peer' as const, agentId: PEER, repoName: 'peer-app' } }

/** A project of the desk's own agent, with an approved peer that fetches all of it. */
async function openFetched() {
  const desk = await openDesk()
  await approve(desk, PEER)
  const { projectId } = await desk.call('cacp/project/create', { name: 'Auth', objective: 'login' })
  const said = () => [...(desk.store.view.projects.get(projectId)?.said ?? [])]
  const fetch = async (more: object = {}) => {
    const ids = said().map(({ id }) => id)
    const answer = await desk.send('cacp/sync/fetch', { projectId, ids, ...more }, asPeer)
    return (answer as { statements: string[] }).statements
  }
  const newest = (): Stamp => said().reduce((at, one) => (one.at > at ? one.at : at), '' as Stamp)
  return { desk, projectId, fetch, said, newest, link: () => desk.store.view.links.get(PEER) }
}

describe('a peer that fetches statements', () => {
  test('is remembered to have perhaps what this daemon said of them', async () => {
    const { desk, fetch, said, newest, link } = await openFetched()
    await using _ = desk
    expect(await fetch()).toHaveLength(said().length)
    expect(link()?.took_until).toBe(addMicros(newest(), 60_000_000))
  })

  test('and fetches again a moment later has nothing written for it', async () => {
    const { desk, fetch, link } = await openFetched()
    await using _ = desk
    await fetch()
    const remembered = link()
    await fetch()
    expect(link()).toBe(remembered)
  })

  test('is not given what it would refuse as too far ahead of its clock, nor remembered to have it', async () => {
    const { desk, projectId, fetch, said, newest, link } = await openFetched()
    await using _ = desk
    const before = said().length
    const now = newest()
    desk.clock.advance(3600)
    await desk.call('cacp/context/share', { projectId, type: 'question', content: {} })
    expect(said().length).toBeGreaterThan(before)
    expect(await fetch({ now })).toHaveLength(before)
    expect(link()?.took_until).toBe(addMicros(now, 60_000_000))
  })
})
