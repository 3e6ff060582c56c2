import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/io/system/clock.ts'
import { addMicros } from '../../src/protocol/stamp.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { servePlainPeer } from '../support/plain-peer/server.ts'
import { connect, RULES, SLOW, start } from './plain-story.ts'

const FRONTEND = { repo: 'frontend-app', agentId: 'aid://example.com/frontend@1.0.0' }

/** A clock that is ahead by so many seconds, until it is set. */
function wrongClock(seconds: number) {
  const wrong = { seconds }
  const now = () => addMicros(systemClock.now(), wrong.seconds * 1_000_000)
  return { wrong, clock: { ...systemClock, now } }
}

const skewAt = async (at: TestDaemon) => (await at.rpc('cacp/peer/list')).peers[0]?.clockSkewSeconds
const warningsAt = async (at: TestDaemon) => (await at.fetch('/health')).json.warnings
const about = (seconds: number) => expect.closeTo(seconds, -1)

describe('a clock that is 10 minutes ahead', () => {
  test('of the daemon is told to whoever writes there, until it is set while both are connected', async () => {
    const { wrong, clock } = wrongClock(600)
    await using backend = await daemon({ open: true }, { rules: RULES, clock })
    await using frontend = await start(FRONTEND)
    await connect(backend, frontend)
    await expect.poll(() => skewAt(backend), SLOW).toEqual(about(-600))
    await expect.poll(() => skewAt(frontend), SLOW).toEqual(about(600))
    const create = () => backend.rpc('cacp/project/create', { name: 'P', objective: 'o' })
    const sentence = expect.stringMatching(/^The clock here is \d{3} s ahead of that of frontend-app, /)
    expect(await create()).toMatchObject({ status: 'created', hint: sentence })
    expect(await warningsAt(backend)).toEqual([sentence])
    expect(await warningsAt(frontend)).toEqual([
      expect.stringMatching(/^The clock of backend-api is \d{3} s ahead of the one here, /),
    ])
    expect(await frontend.rpc('cacp/project/create', { name: 'Q', objective: 'o' })).not.toHaveProperty(
      'hint',
    )
    wrong.seconds = 0
    await expect.poll(() => skewAt(backend), SLOW).toBe(0)
    await expect.poll(() => skewAt(frontend), SLOW).toBe(0)
    expect(await create()).not.toHaveProperty('hint')
    expect(await warningsAt(backend)).toEqual([])
  })

  test('of a plain peer is measured, and measured again when it is set', async () => {
    const wrong = { millis: 600_000 }
    await using plain = await servePlainPeer({ clock: () => Date.now() + wrong.millis })
    await using here = await start()
    await connect(here, plain)
    await expect.poll(() => skewAt(here), SLOW).toEqual(about(600))
    expect(await warningsAt(here)).toEqual([
      expect.stringMatching(/^The clock of plain-api is \d{3} s ahead of the one here, /),
    ])
    wrong.millis = -600_000
    await expect.poll(() => skewAt(here), SLOW).toEqual(about(-600))
    expect(await here.rpc('cacp/project/create', { name: 'P', objective: 'o' })).toMatchObject({
      hint: expect.stringContaining('ahead of that of plain-api'),
    })
  })
})
