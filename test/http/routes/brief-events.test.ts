import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { type EventReader, followEvents } from '../../support/daemons/event-reader.ts'
import { requestWith } from '../../support/dialects/run-events.ts'
import { OPERATOR } from '../../support/runs/test-runs.ts'

let home: TestDaemon
let projectId: string
beforeAll(async () => {
  home = await daemon()
  ;({ projectId } = await home.rpc('cacp/project/create', { name: 'Login', objective: '' }))
})
afterAll(() => home[Symbol.asyncDispose]())

const follow = (query: string) => followEvents(home.url, { authorization: `Bearer ${home.key}` }, query)
const propose = (name: string) =>
  home.rpc('cacp/contract/propose', { projectId, type: 'custom', name, content: { long: 'x'.repeat(1000) } })

/** The next that is about this daemon alone; changes of statements are passed over. */
async function nextLocal(reader: EventReader) {
  for (;;) {
    const event = await reader.next()
    if (event.type === 'dev.cacp.local.changed') return event
  }
}

describe('GET /events?values=no', () => {
  test('tells what changed without what it is now, and of a contract its name, version and status', async () => {
    await using reader = await follow('?values=no')
    const { data } = await reader.next()
    const { contractId } = await propose('Profile')
    const event = await reader.next()
    expect(event).toEqual({
      id: expect.any(String),
      type: 'dev.cacp.contract.changed',
      data: {
        cursor: event.id,
        kind: 'contract',
        projectId,
        id: contractId,
        at: expect.any(String),
        name: 'Profile',
        version: 1,
        status: 'proposed',
      },
    })
    await home.rpc('cacp/context/askQuestion', { projectId, question: 'Why?' })
    const packet = await reader.next()
    expect(Object.keys(packet.data).sort()).toEqual(['at', 'cursor', 'id', 'kind', 'projectId'])
    const { events } = await home.rpc('cacp/feed/read', { since: data.cursor })
    expect(events.map(({ cursor }: { cursor: string }) => cursor)).toEqual([event.id, packet.id])
  })

  test('goes on from a cursor of the other form, and says what is gone', async () => {
    await home.rpc('cacp/project/addRepo', { projectId, name: 'short-lived' })
    const { cursor } = await home.rpc('cacp/feed/read', { limit: 500 })
    await home.rpc('cacp/project/removeRepo', { projectId, repoName: 'short-lived' })
    await using reader = await follow(`?values=no&since=${cursor}`)
    expect((await reader.next()).data).toEqual({ cursor })
    expect((await reader.next()).data).toMatchObject({ kind: 'repo', wide: true, gone: true })
  })
})

describe('GET /events?local=yes', () => {
  test('tells when peers and invites look different, without a cursor to go on from', async () => {
    await using reader = await follow('?local=yes&values=no')
    await reader.next()
    const { inviteId } = await home.rpc('cacp/invite/create', {})
    expect(await nextLocal(reader)).toEqual({
      id: '',
      type: 'dev.cacp.local.changed',
      data: { table: 'invites', ids: [inviteId] },
    })
    const agentId = 'aid://example.com/stranger@1.0.0'
    await home.fetch('/peers/register', {
      method: 'POST',
      headers: { authorization: '', 'content-type': 'application/json' },
      body: JSON.stringify({ agentId, endpoint: 'http://127.0.0.1:9', repoName: 'stranger' }),
    })
    expect((await nextLocal(reader)).data).toEqual({ table: 'peers', ids: [agentId] })
    // Nobody listens there: that it cannot be reached is told, too.
    await home.rpc('cacp/peer/approve', { agentId })
    await nextLocal(reader)
    await expect
      .poll(async () => (await home.rpc('cacp/peer/list')).peers[0].health, { timeout: 10_000 })
      .toBe('failing')
    expect((await nextLocal(reader)).data).toMatchObject({ table: 'peers', ids: [agentId] })
    await home.rpc('cacp/peer/remove', { agentId })
  })

  test('tells when runs and work begin and end', async () => {
    await using reader = await follow('?local=yes')
    await reader.next()
    const { run } = await home.runs.start(requestWith({ work_type: 'echo' }), OPERATOR)
    expect((await nextLocal(reader)).data).toEqual({ table: 'runs', ids: [run.run_id] })
  })

  test('is for who may see everything', async () => {
    const { token } = await home.rpc('cacp/token/issue', { projectId, permissions: ['project:read'] })
    const headers = { authorization: `Bearer ${token}` }
    const reply = await home.fetch('/events?local=yes', { headers })
    expect(reply).toMatchObject({ status: 403, json: { error: { kind: 'forbidden' } } })
  })

  test.each(['?local=maybe', '?values=', '?values=no&values=yes'])('refuses %s', async (query) => {
    expect(await home.fetch(`/events${query}`)).toMatchObject({ status: 400 })
  })
})
