import { appendFile, chmod, mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { AuditLine, AuditQuery } from '../../../src/domain/trust/audit.ts'
import { openAuditTrail } from '../../../src/io/audit/trail.ts'
import { systemClock } from '../../../src/io/system/clock.ts'
import type { Stamp } from '../../../src/protocol/stamp.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'

const MIB = 1024 * 1024
const ALL: AuditQuery = { refused: false, agentId: undefined, since: undefined, limit: 1000 }

function openIn(folder: Folder, totalBytes = MIB, flushMillis = 1) {
  const warnings: string[] = []
  const log = { warn: (_details: object, message: string) => warnings.push(message) }
  const opened = openAuditTrail({ directory: folder.path, clock: systemClock, log, totalBytes, flushMillis })
  return opened.then((trail) => Object.assign(trail, { warnings }))
}

const line = (number: number, more: Partial<AuditLine> = {}): AuditLine => ({
  at: systemClock.now(),
  outcome: 'allowed',
  caller: 'peer',
  agentId: 'aid://example.com/web@1.0.0',
  from: '127.0.0.1',
  what: 'cacp/contract/propose',
  ids: [String(number)],
  ...more,
})

const idsOf = (lines: readonly AuditLine[]) => lines.map(({ ids }) => ids?.[0])

describe('the audit trail', () => {
  test('shows what was recorded, newest first, also after it was opened again', async () => {
    await using folder = await folderWith()
    {
      await using trail = await openIn(folder)
      for (const number of [1, 2, 3]) trail.record(line(number))
      expect(idsOf(await trail.list(ALL))).toEqual(['3', '2', '1'])
    }
    await using again = await openIn(folder)
    again.record(line(4))
    expect(idsOf(await again.list(ALL))).toEqual(['4', '3', '2', '1'])
    expect(await readdir(folder.path)).toEqual(['audit-000001.ndjson'])
    expect((await stat(folder.at('audit-000001.ndjson'))).mode & 0o777).toBe(0o600)
  })

  test('is written by itself, without anybody who asks', async () => {
    await using folder = await folderWith()
    await using trail = await openIn(folder)
    trail.record(line(1))
    await expect
      .poll(() => readFile(folder.at('audit-000001.ndjson'), 'utf8').catch(() => ''))
      .toMatch(/"1"\S+\n$/)
  })

  test('keeps what was recorded just before it is closed', async () => {
    await using folder = await folderWith()
    const trail = await openIn(folder, MIB, 60_000)
    trail.record(line(1))
    await trail[Symbol.asyncDispose]()
    expect(await readFile(folder.at('audit-000001.ndjson'), 'utf8')).toContain('"ids":["1"]')
  })

  test('shows only what is asked for', async () => {
    await using folder = await folderWith()
    await using trail = await openIn(folder)
    const other = 'aid://example.com/other@1.0.0'
    trail.record(line(1, { at: '2026-01-01T00:00:00.000000Z' as Stamp }))
    trail.record(line(2, { agentId: other }))
    trail.record(line(3, { outcome: 'refused', fault: 'forbidden' }))
    expect(idsOf(await trail.list({ ...ALL, agentId: other }))).toEqual(['2'])
    expect(idsOf(await trail.list({ ...ALL, refused: true }))).toEqual(['3'])
    expect(idsOf(await trail.list({ ...ALL, since: '2026-01-01T00:00:00.000001Z' as Stamp }))).toEqual([
      '3',
      '2',
    ])
    expect(idsOf(await trail.list({ ...ALL, limit: 2 }))).toEqual(['3', '2'])
  })

  test('passes over a line that was cut off, and goes on below it', async () => {
    await using folder = await folderWith()
    {
      await using trail = await openIn(folder)
      trail.record(line(1))
    }
    await appendFile(folder.at('audit-000001.ndjson'), '{"at":"2026-11-16T09:')
    await using trail = await openIn(folder)
    trail.record(line(2))
    expect(idsOf(await trail.list(ALL))).toEqual(['2', '1'])
  })

  test('never takes more than it may, and drops the oldest', async () => {
    await using folder = await folderWith()
    const total = 64 * 1024
    await using trail = await openIn(folder, total)
    for (let number = 1; number <= 1000; number++) {
      trail.record(line(number))
      if (number % 10 === 0) await trail.list({ ...ALL, limit: 1 })
    }
    const names = await readdir(folder.path)
    const sizes = await Promise.all(names.map(async (name) => (await stat(folder.at(name))).size))
    expect(names.length).toBeLessThanOrEqual(16)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(total)
    const kept = idsOf(await trail.list(ALL))
    expect(kept.length).toBeGreaterThan(200)
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => String(1000 - index)))
  })

  test('says once that it cannot be written, counts what is lost, and goes on', async () => {
    await using folder = await folderWith()
    await using trail = await openIn(folder)
    // A folder where the file should be.
    await mkdir(folder.at('audit-000001.ndjson'))
    for (const number of [1, 2, 3]) {
      trail.record(line(number))
      await trail.list(ALL).catch(() => {})
    }
    expect(trail.warnings).toEqual(['the audit trail cannot be written; lines are lost until it can'])
    await rmdir(folder.at('audit-000001.ndjson'))
    trail.record(line(4))
    expect(await trail.list(ALL)).toMatchObject([{ ids: ['4'] }, { outcome: 'lost', times: 3 }])
    await writeFile(folder.at('audit-000002.ndjson'), '')
  })

  test('makes one line of the calls of one request that did the same, with the ids of all', async () => {
    await using folder = await folderWith()
    await using trail = await openIn(folder)
    const inRequest = (number: number, requestId: string, projectId = 'p') =>
      trail.record(line(number, { requestId, projectId }))
    inRequest(1, 'r1')
    inRequest(2, 'r1')
    inRequest(3, 'r1')
    inRequest(4, 'r1', 'another')
    inRequest(5, 'r2', 'another')
    trail.record(line(6))
    trail.record(line(7))
    const lines = await trail.list(ALL)
    expect(lines.map(({ ids, times }) => [ids?.join(' '), times])).toEqual([
      ['7', undefined],
      ['6', undefined],
      ['5', undefined],
      ['4', undefined],
      ['1 2 3', 3],
    ])
  })

  test('begins another line where a request names more than a thousand ids', async () => {
    await using folder = await folderWith()
    await using trail = await openIn(folder)
    for (let number = 1; number <= 1500; number++) trail.record(line(number, { requestId: 'r' }))
    const lines = await trail.list(ALL)
    expect(lines.map(({ times }) => times)).toEqual([500, 1000])
    expect(lines.flatMap(({ ids = [] }) => ids)).toHaveLength(1500)
  })

  test('makes one line of refusals that are alike, so that nobody can fill it by trying', async () => {
    await using folder = await folderWith()
    await using trail = await openIn(folder, MIB, 60_000)
    const refused = { outcome: 'refused', fault: 'unauthorized', ids: [] } as const
    trail.record(line(1))
    for (let number = 0; number < 5000; number++) trail.record(line(number, refused))
    trail.record(line(2))
    for (let number = 0; number < 5000; number++)
      trail.record(line(0, { ...refused, what: `GET /${number}` }))
    const lines = await trail.list(ALL)
    expect(lines.length).toBeLessThan(60)
    expect(lines.filter(({ outcome }) => outcome === 'allowed')).toHaveLength(2)
    expect(lines.reduce((sum, { outcome, times = 1 }) => sum + (outcome === 'refused' ? times : 0), 0)).toBe(
      10_000,
    )
    expect(lines.find(({ what }) => what === 'others')?.times).toBe(4951)
  })

  test('lets nothing pile up when the disk is slower than the calls', async () => {
    await using folder = await folderWith()
    await using trail = await openIn(folder, 64 * MIB, 60_000)
    for (let number = 0; number < 30_000; number++) trail.record(line(number))
    const lines = await trail.list({ ...ALL, limit: 100_000 })
    expect(lines).toHaveLength(20_001)
    expect(lines.at(-1)).toMatchObject({ outcome: 'lost', times: 10_000 })
  })

  test('takes a data directory that holds other things too', async () => {
    await using folder = await folderWith({ 'audit-x.ndjson': 'x', 'audit.txt': 'x', journal: 'x' })
    await chmod(folder.path, 0o700)
    await using trail = await openIn(folder)
    trail.record(line(1))
    expect(idsOf(await trail.list(ALL))).toEqual(['1'])
  })
})
