import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../src/client.ts'
import { type EventReader, followEvents, type ReadEvent } from './support/daemons/event-reader.ts'
import { type DaemonProcess, startProcess } from './support/daemons/process.ts'

const FLAGS = ['--port', '0', '--log-level', 'warn', '--repo', 'backend-api']
const KILLS = 4
/** Writes that were answered before a kill. */
const WRITES = 30

/** What a reader of the feed knows, by entity; it complains of what it is told twice. */
class Known {
  readonly values = new Map<string, string>()
  cursor: string | undefined
  readonly repeated: string[] = []

  take(cursor: string, { kind, id, value }: { kind?: string; id?: string; value?: unknown }): void {
    this.cursor = cursor
    if (kind === undefined) return
    const name = `${kind} ${id}`
    const text = JSON.stringify(value)
    if (this.values.get(name) === text) this.repeated.push(name)
    this.values.set(name, text)
  }

  get sorted() {
    return [...this.values].sort()
  }
}

test(`a reader of /events and one of cacp/feed/read miss nothing and get nothing twice, over ${KILLS} kills under load`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cacpd-feed-'))
  const dataDir = join(folder, '.cacp')
  const streamed = new Known()
  const paged = new Known()
  let daemon = await startProcess(dataDir, FLAGS)
  try {
    const { projectId } = await firstProject(daemon)
    for (let kill = 0; kill < KILLS; kill++) {
      const reader = await follow(daemon, streamed)
      const reading = readInto(streamed, reader)
      await writeUntilKilled(daemon, projectId)
      await reading
      daemon = await startProcess(dataDir, FLAGS)
      await readPages(daemon, paged, 7)
    }
    await using reader = await follow(daemon, streamed)
    const whole = new Known()
    await readPages(daemon, whole, 500)
    await readPages(daemon, paged, 500)
    while (streamed.cursor !== whole.cursor) takeEvent(streamed, await reader.next())

    expect(whole.values.size).toBeGreaterThan(KILLS * WRITES * 0.5)
    expect(streamed.sorted).toEqual(whole.sorted)
    expect(paged.sorted).toEqual(whole.sorted)
    expect({ streamed: streamed.repeated, paged: paged.repeated }).toEqual({ streamed: [], paged: [] })
  } finally {
    await daemon.stop('SIGKILL')
    await rm(folder, { recursive: true })
  }
}, 120_000)

async function firstProject({ url, key }: DaemonProcess): Promise<{ projectId: string }> {
  await using client = await connect({ url, key })
  return client.call('cacp/project/create', { name: 'Feed', objective: '' })
}

function follow({ url, key }: DaemonProcess, { cursor }: Known): Promise<EventReader> {
  const headers = { authorization: `Bearer ${key}` }
  return cursor === undefined
    ? fromTheStart(url, headers)
    : followEvents(url, { ...headers, 'last-event-id': cursor })
}

/** The first event names the store, and every store begins with 0. */
async function fromTheStart(url: string, headers: Record<string, string>): Promise<EventReader> {
  await using first = await followEvents(url, headers)
  const { id } = await first.next()
  return followEvents(url, headers, `?since=${id.replace(/\d+$/, '0')}`)
}

async function readInto(known: Known, reader: EventReader): Promise<void> {
  for (const event of await reader.rest()) takeEvent(known, event)
}

const takeEvent = (known: Known, { id, data }: ReadEvent) => known.take(id, data)

/** Proposals and changes of them, as fast as they are answered; the last ones get no answer. */
async function writeUntilKilled({ url, key, stop }: DaemonProcess, projectId: string): Promise<void> {
  await using client = await connect({ url, key })
  let answered = 0
  let killed: Promise<unknown> | undefined
  const writer = async () => {
    for (let count = 0; killed === undefined; count++) {
      const name = `c${count}`
      const { contractId } = await client.call('cacp/contract/propose', {
        projectId,
        type: 'custom',
        name,
        content: {},
      })
      await client.call('cacp/contract/update', { projectId, contractId, content: { count } })
      answered += 2
      if (answered >= WRITES) killed ??= stop('SIGKILL')
    }
  }
  await Promise.allSettled(Array.from({ length: 8 }, writer))
  await killed
}

async function readPages({ url, key }: DaemonProcess, known: Known, limit: number): Promise<void> {
  await using client = await connect({ url, key })
  for (;;) {
    const page = await client.call('cacp/feed/read', { since: known.cursor, limit })
    for (const event of page.events) known.take(event.cursor, event)
    known.cursor = page.cursor
    if (!page.more) return
  }
}
