import { describe, expect, test } from 'vitest'
import { digestSubject, subjectOf } from '../../../../src/domain/hub/subject.ts'
import { type Statement, textOf } from '../../../../src/domain/statements/statement.ts'
import { EARLIEST } from '../../../../src/protocol/stamp.ts'
import { at } from '../../../domain/statements/at.ts'
import { Author } from '../../../domain/statements/author.ts'
import { openScene } from '../../../domain/statements/scene.ts'
import { idsOn, openHubWorld } from './hub-desk.ts'

/** The backend and the frontend, which only have the hub in common, and a project of the backend's. */
async function together() {
  const world = openHubWorld()
  const installed = world.time.install()
  const scene = openScene()
  const a = await world.daemon(scene.backend)
  const b = await world.daemon(scene.frontend)
  await a.take(...scene.story)
  await world.time.advance(30_000)
  return { ...world, ...scene, a, b, [Symbol.dispose]: () => installed[Symbol.dispose]() }
}

const published = (one: Statement, more: object = {}) => ({
  subject: subjectOf('default', one),
  id: one.id,
  text: textOf(one),
  ...more,
})

describe('daemons on one hub', () => {
  test('have the same within a second, and the hub has each statement once', async () => {
    using world = await together()
    const { time, hub, a, b, frontend, claims } = world
    expect(b.ids()).toEqual(a.ids())
    expect(idsOn(hub).sort()).toEqual(a.ids())
    await b.take(frontend.describe(claims.frontend, at(10), 'shown'))
    await time.advance(100)
    expect(a.ids()).toEqual(b.ids())
    await time.advance(60_000)
    expect(idsOn(hub).sort()).toEqual(a.ids())
    expect(a.lane.status()).toMatchObject({ state: 'current', troubles: [], unoffered: 0, unread: 0 })
  })

  test('bridge what they heard over links, once and after a while', async () => {
    using world = await together()
    const { time, hub, a, b, mobile, claims } = world
    const heard = mobile.describe(claims.mobile, at(20), 'heard')
    await a.take(heard)
    await time.advance(1000)
    expect(idsOn(hub)).not.toContain(heard.id)
    await time.advance(10_000)
    expect(b.ids()).toContain(heard.id)
    expect(idsOn(hub).filter((id) => id === heard.id)).toHaveLength(1)
  })

  test('leave to others what others published meanwhile', async () => {
    using world = await together()
    const { time, hub, a, mobile, claims } = world
    const heard = mobile.share(claims.mobile, at(20), {})
    await a.take(heard)
    hub.store(published(heard, { id: 'by somebody else' }))
    await time.advance(30_000)
    expect(idsOn(hub).filter((id) => id === heard.id)).toHaveLength(1)
  })

  test('go on where they were after the power failed', async () => {
    using world = await together()
    const { time, hub, daemon, a, b, frontend, backend, claims } = world
    const disk = b.crash()
    const news = backend.share(claims.backend, at(30), {})
    await a.take(news)
    await time.advance(1000)
    const again = await daemon(frontend, { disk })
    await time.advance(2000)
    expect(again.ids()).toEqual(a.ids())
    await time.advance(60_000)
    expect(idsOn(hub).sort()).toEqual(a.ids())
  })

  test('count nothing as read before it is on their disk', async () => {
    using world = await together()
    const { time, hub, a, b, backend, claims } = world
    const read = () => b.store.view.hubs.get('hub')?.facts.sequence
    const before = read()
    b.disk.freeBytes = 0
    const said = backend.share(claims.backend, at(40), {})
    await a.take(said)
    await time.advance(3000)
    expect(hub.stateOf('facts').last).toBe((before ?? 0) + 1)
    expect(read()).toBe(before)
    expect(b.lane.status().troubles).toMatchObject([{ kind: 'other' }])
    b.disk.freeBytes = Number.POSITIVE_INFINITY
    await time.advance(100_000)
    expect(b.ids()).toContain(said.id)
    expect(read()).toBe((before ?? 0) + 1)
  })

  test('lose nothing that was said while the hub was away, and nobody waits for it', async () => {
    using world = await together()
    const { time, hub, a, b, backend, claims } = world
    hub.mood.away = 'away'
    hub.cut()
    const said = backend.share(claims.backend, at(40), {})
    const before = time.now
    await a.take(said)
    expect(time.now - before).toBeLessThan(100)
    await time.advance(600_000)
    expect(a.lane.status()).toMatchObject({ state: 'connecting', unoffered: 1 })
    expect(a.lane.status().troubles).toMatchObject([{ kind: 'away' }])
    hub.mood.away = undefined
    await time.advance(15_000)
    expect(b.ids()).toContain(said.id)
    expect(a.lane.status().troubles).toEqual([])
  })

  test('tell that it is full, try ever more rarely, and go on when it is not', async () => {
    using world = await together()
    const { time, hub, a, b, backend, claims } = world
    hub.mood.refusesAll = 'full'
    await a.take(backend.share(claims.backend, at(40), {}))
    const before = time.events
    await time.advance(60_000)
    expect(time.events - before).toBeLessThan(500)
    expect(a.lane.status().troubles).toMatchObject([{ kind: 'full' }])
    hub.mood.refusesAll = undefined
    await time.advance(80_000)
    expect(b.ids()).toEqual(a.ids())
  })
})

describe('a hub that lost something', () => {
  test('gets everything again after it was wiped, once', async () => {
    using world = await together()
    const { time, hub, a, b } = world
    hub.wipe()
    await time.advance(2000)
    expect(a.lane.status().troubles).toMatchObject([{ kind: 'wiped' }])
    await time.advance(60_000)
    expect(idsOn(hub).sort()).toEqual(a.ids())
    expect(b.lane.status().troubles).toEqual([])
  })

  test('gets the end that it lost', async () => {
    using world = await together()
    const { time, hub, a, backend, claims } = world
    await a.take(backend.share(claims.backend, at(40), {}), backend.describe(claims.backend, at(41), 'here'))
    await time.advance(1000)
    hub.loseEnd(2)
    await time.advance(60_000)
    expect(new Set(idsOn(hub))).toEqual(new Set(a.ids()))
  })

  test('is noticed also when it got as many messages as it had before', async () => {
    using world = await together()
    const { time, hub, daemon, a, b, frontend, backend, claims } = world
    const backup = hub.contents
    const lost = frontend.share(claims.frontend, at(40), { nonce: 'L'.repeat(22) })
    await b.take(lost)
    await time.advance(1000)
    const disk = b.crash()
    const aside = await a.crash()
    hub.restore(backup)
    const other = backend.share(claims.backend, at(41), { nonce: 'O'.repeat(22) })
    hub.store(published(other))
    const again = await daemon(frontend, { disk })
    await time.advance(40_000)
    expect(again.ids()).toContain(other.id)
    expect(idsOn(hub)).toContain(lost.id)
    expect(aside).toBe(a.disk)
  })

  test('tells a gap', async () => {
    using world = await together()
    const { time, hub, daemon, a, b, frontend, backend, claims } = world
    const disk = b.crash()
    const gone = backend.share(claims.backend, at(40), {})
    await a.take(gone, backend.share(claims.backend, at(41), { nonce: 'N'.repeat(22) }))
    await time.advance(1000)
    const { last } = hub.stateOf('facts')
    for (let sequence = 1; sequence < last; sequence++) hub.erase('facts', sequence)
    const again = await daemon(frontend, { disk })
    await time.advance(1000)
    expect(again.lane.status().troubles).toMatchObject([{ kind: 'gap' }])
    await time.advance(200_000)
    expect(again.ids()).toContain(gone.id)
  })
})

test('a statement whose id somebody used before is published under another one', async () => {
  using world = await together()
  const { time, hub, a, b, backend } = world
  // A project that nobody else has, so that nobody else notices.
  const said = backend.found(at(40), { nonce: 'F'.repeat(22) })
  hub.store({ ...published(said), text: 'no statement' })
  await time.advance(1000)
  await a.take(said)
  await time.advance(100_000)
  expect(b.ids()).toContain(said.id)
  const messages = hub.texts('facts').filter((text) => text.includes(said.id))
  await time.advance(100_000)
  expect(hub.texts('facts').filter((text) => text.includes(said.id))).toEqual(messages)
})

describe('a register', () => {
  test('takes the place of the one before on the hub', async () => {
    using world = await together()
    const { time, hub, a, backend, claims } = world
    const [older, newer] = [10, 11].map((second) => backend.describe(claims.backend, at(second), `${second}`))
    await a.take(older as Statement)
    await time.advance(1000)
    await a.take(newer as Statement)
    await time.advance(1000)
    expect(idsOn(hub)).toContain(newer?.id)
    expect(idsOn(hub)).not.toContain(older?.id)
  })

  test('never takes the place of a newer one that a bridge has not heard of', async () => {
    using world = await together()
    const { time, hub, a, b, mobile, claims } = world
    const older = mobile.describe(claims.mobile, at(10), 'older')
    const newer = mobile.describe(claims.mobile, at(11), 'newer')
    hub.cut()
    hub.mood.away = 'away'
    await b.take(older)
    hub.store(published(newer))
    hub.mood.away = undefined
    await time.advance(60_000)
    expect(idsOn(hub)).toContain(newer.id)
    expect(a.ids()).toContain(newer.id)
    expect(b.ids()).toEqual(a.ids())
  })

  test('is kept from its place by nothing that nobody can take yet', async () => {
    using world = await together()
    const { time, hub, a, b, backend, claims } = world
    const ahead = backend.describe(claims.backend, at(90_000), 'ahead')
    hub.store({ ...published(ahead), text: textOf({ ...ahead, sig: 'A'.repeat(86) }) })
    const said = backend.describe(claims.backend, at(10), 'said')
    await a.take(said)
    await time.advance(60_000)
    expect(idsOnReadable(hub.texts('registers'))).toContain(said.id)
    expect(b.ids()).toEqual(a.ids())
  })

  test.each(['an older one', 'no statement'])('that %s displaced is offered again', async (what) => {
    using world = await together()
    const { time, hub, a, backend, claims } = world
    const older = backend.describe(claims.backend, at(10), 'older')
    const newer = backend.describe(claims.backend, at(11), 'newer')
    await a.take(newer)
    await time.advance(1000)
    const text = what === 'an older one' ? textOf(older) : 'no statement'
    hub.store({ ...published(newer), id: 'displacing', text })
    await time.advance(60_000)
    expect(idsOnReadable(hub.texts('registers'))).toContain(newer.id)
  })

  test('that is no statement does not have the facts read again', async () => {
    using world = await together()
    const { time, hub, a, backend, claims } = world
    const register = backend.describe(claims.backend, at(10), 'shown')
    await a.take(register)
    await time.advance(60_000)
    const given: string[] = []
    hub.mood.alter = (text) => {
      given.push(text)
      return text
    }
    hub.store({ ...published(register), id: 'displacing', text: 'no statement' })
    await time.advance(60_000)
    expect(given).toContain(textOf(register))
    expect(given.filter((text) => hub.texts('facts').includes(text))).toEqual([])
  })
})

const idsOnReadable = (texts: readonly string[]): unknown[] =>
  texts.filter((text) => text.startsWith('{')).map((text) => (JSON.parse(text) as { id?: string }).id)

describe('what is kept among members', () => {
  const members = (author: Author) => author.found(at(0), { visibility: 'members', nonce: 'M'.repeat(22) })

  test('stays off the hub', async () => {
    using world = await together()
    const { time, hub, a, backend } = world
    const founding = members(backend)
    await a.take(founding)
    await time.advance(60_000)
    expect(idsOn(hub)).not.toContain(founding.id)
    expect(hub.texts('registers').join()).not.toContain(founding.project_id)
    expect(a.lane.status().projects).toContainEqual(
      expect.objectContaining({ projectId: founding.project_id, travels: false }),
    )
  })

  test('travels where the hub keeps it apart', async () => {
    const { time, hub, daemon } = openHubWorld()
    using _ = time.install()
    const backend = new Author('backend')
    const a = await daemon(backend, { carriesMembers: true })
    const founding = members(backend)
    await a.take(founding)
    await time.advance(1000)
    expect(idsOn(hub)).toContain(founding.id)
  })
})

describe('a redaction of our own', () => {
  test('erases the content from the hub, and whoever comes later gets the rest', async () => {
    using world = await together()
    const { time, hub, daemon, a, b, backend, mobile, claims } = world
    const packet = backend.share(claims.backend, at(40), { text: 'SECRET' })
    await a.take(packet)
    await time.advance(1000)
    expect(hub.texts('facts').join()).toContain('SECRET')
    await a.take(backend.redact(claims.backend, packet, at(41)))
    await time.advance(1000)
    expect(hub.texts('facts').join()).not.toContain('SECRET')
    const late = await daemon(mobile)
    await time.advance(5000)
    expect(late.ids()).toEqual(a.ids())
    expect(b.ids()).toEqual(a.ids())
  })

  test('erases also what somebody publishes again', async () => {
    using world = await together()
    const { time, hub, a, backend, claims } = world
    const packet = backend.share(claims.backend, at(40), { text: 'SECRET' })
    await a.take(packet, backend.redact(claims.backend, packet, at(41)))
    await time.advance(1000)
    hub.store({ ...published(packet), id: 'again' })
    await time.advance(1000)
    expect(hub.texts('facts').join()).not.toContain('SECRET')
  })

  test('tells where this daemon may not erase, and goes on', async () => {
    using world = await together()
    const { time, hub, a, b, backend, claims } = world
    hub.mood.mayErase = false
    const packet = backend.share(claims.backend, at(40), { text: 'SECRET' })
    await a.take(packet)
    await time.advance(1000)
    await a.take(backend.redact(claims.backend, packet, at(41)))
    await time.advance(1000)
    expect(a.lane.status()).toMatchObject({ state: 'current', troubles: [{ kind: 'permission' }] })
    expect(b.ids()).toEqual(a.ids())
  })
})

describe('messages that are not taken', () => {
  test('on the hub stop nothing, and are told', async () => {
    using world = await together()
    const { time, hub, a, b, backend, claims, story } = world
    const [founding] = story as [Statement]
    const stranger = new Author('stranger').found(at(0), { nonce: 'S'.repeat(22) })
    const bad = [
      'no statement',
      '',
      textOf({ ...founding, sig: founding.sig.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) }),
      `${textOf(founding)} `,
      textOf(stranger),
    ]
    for (const [index, text] of bad.entries()) hub.store({ ...published(founding), id: `bad ${index}`, text })
    for (let count = 0; count < 500; count++)
      hub.store({ ...published(founding), id: `flood ${count}`, text: `flood ${count}` })
    const said = backend.share(claims.backend, at(40), {})
    await a.take(said)
    await time.advance(5000)
    expect(b.ids()).toContain(said.id)
    expect(b.ids()).not.toContain(stranger.id)
    expect(b.lane.status().refusedHere.count).toBeGreaterThan(500)
  })

  test('by the hub are told, the others go on, and they go out when it takes them', async () => {
    using world = await together()
    const { time, hub, a, b, backend, claims } = world
    hub.mood.refuses = ({ text }) => (text.includes('HUGE') ? 'is too large' : undefined)
    const huge = backend.share(claims.backend, at(40), { text: 'HUGE', nonce: 'H'.repeat(22) })
    const small = backend.share(claims.backend, at(41), {})
    await a.take(huge, small)
    await time.advance(5000)
    expect(b.ids()).toContain(small.id)
    expect(a.lane.status().refusedThere).toMatchObject({ count: 1, newest: [{ id: huge.id }] })
    expect(a.lane.status().troubles).toMatchObject([{ kind: 'too_large' }])
    await time.advance(60_000)
    hub.mood.refuses = () => undefined
    await time.advance(400_000)
    expect(b.ids()).toContain(huge.id)
    expect(a.lane.status()).toMatchObject({ troubles: [], refusedThere: { count: 0 } })
  })

  test('because somebody used their id for something else are published all the same, under another one', async () => {
    using world = await together()
    const { time, hub, a, b, backend, claims } = world
    const said = backend.share(claims.backend, at(40), {})
    hub.store({ ...published(said), text: 'no statement' })
    await a.take(said)
    await time.advance(60_000)
    expect(b.ids()).toContain(said.id)
  })

  test('because a cluster knows their id and never stored them are published all the same', async () => {
    using world = await together()
    const { time, hub, a, b, backend, claims } = world
    const said = backend.share(claims.backend, at(40), {})
    const { store } = hub
    hub.store = (message) =>
      message.id === said.id ? { status: 'known', sequence: 0 } : store.call(hub, message)
    await a.take(said)
    await time.advance(5000)
    expect(b.ids()).toContain(said.id)
  })

  test('that comes while a project is compared is not taken for missing', async () => {
    using world = await together()
    const { time, hub, a, backend, claims, project } = world
    const news = Array.from({ length: 5 }, (_, index) => backend.share(claims.backend, at(40 + index), {}))
    const coming = news.map((one) => published(one, { id: `by somebody else ${one.id}` }))
    const { stateOf } = hub
    const digest = JSON.stringify({ project_id: project, digest: 'f'.repeat(32), count: 3 })
    hub.store({ subject: digestSubject('default', project), id: 'lie', text: digest })
    hub.stateOf = (stream) => {
      const next = stream === 'registers' ? coming.pop() : undefined
      if (next !== undefined) hub.store(next)
      return stateOf.call(hub, stream)
    }
    await time.advance(120_000)
    expect(a.ids()).toEqual(expect.arrayContaining(news.map(({ id }) => id)))
    for (const { id } of news) expect(idsOn(hub).filter((one) => one === id)).toHaveLength(1)
  })

  test('of a digest that is a lie lead to one look, and then ever rarer ones', async () => {
    using world = await together()
    const { time, hub, a, project } = world
    const subject = digestSubject('default', project)
    const text = JSON.stringify({ project_id: project, digest: 'f'.repeat(32), count: 3 })
    hub.store({ subject, id: 'lie', text })
    await time.advance(60_000)
    expect(hub.texts('registers').join()).not.toContain('f'.repeat(32))
    expect(a.lane.status().state).toBe('current')
  })
})

describe('what is lost on the way', () => {
  test('is found by comparing digests', async () => {
    using world = await together()
    const { time, hub, a, b, backend, claims } = world
    hub.mood.alter = (text) => text.replace('"kind":"packet"', '"kind":"pocket"')
    const said = backend.share(claims.backend, at(40), {})
    await a.take(said)
    await time.advance(2000)
    hub.mood.alter = undefined
    expect(b.ids()).not.toContain(said.id)
    await time.advance(100_000)
    expect(b.ids()).toContain(said.id)
  })
})

describe('a clock', () => {
  test('that is ahead keeps what is said by it off the hub until its time', async () => {
    const { time, hub, daemon } = openHubWorld()
    using _ = time.install()
    const backend = new Author('backend')
    const a = await daemon(backend, { clockSeconds: 3600 })
    const founding = backend.found(at(1000 + 1800))
    await a.take(founding)
    await time.advance(10_000)
    expect(idsOn(hub)).toEqual([])
    expect(a.lane.status().troubles).toMatchObject([{ kind: 'clock' }])
    expect(a.store.view.hubs.get('hub')?.took_until ?? EARLIEST).toBe(EARLIEST)
    await time.advance(1_600_000)
    expect(idsOn(hub)).toEqual([founding.id])
  })

  test('of before does not matter: what is published is remembered as taken first', async () => {
    using world = await together()
    const { a, story } = world
    const latest = story.reduce((newest, { at }) => (at > newest ? at : newest), EARLIEST)
    expect((a.store.view.hubs.get('hub')?.took_until ?? EARLIEST) > latest).toBe(true)
  })
})

test('whoever says things with our key is told of', async () => {
  using world = await together()
  const { time, hub, a, backend, claims } = world
  hub.store(published(backend.share(claims.backend, at(1010), {})))
  await time.advance(1000)
  expect(a.lane.status().troubles).toMatchObject([{ kind: 'twice' }])
})
