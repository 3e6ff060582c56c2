import { describe, expect, test } from 'vitest'
import type { SequencedChange } from '../../src/engine/ports.ts'
import { Outgoing, type OutgoingDeps } from '../../src/engine/replicate/outgoing.ts'
import { REPLICATION_RULES } from '../../src/engine/replicate/rules.ts'
import { LIMITS } from '../../src/protocol/limits.ts'

const MIB = 1024 * 1024

/** Entities of one project that everybody may see, each with a text of so many bytes in half as many characters. */
function outgoing(told: readonly string[] = ['p']) {
  const change = (kind: string, id: string, bytes: number) =>
    ({ kind, id, project_id: 'p', seq: 1, value: { bytes } }) as unknown as SequencedChange
  const deps = {
    log: { get: () => change('project', 'p', 3 * MIB) },
    view: { projects: { get: () => ({ project: { project_id: 'p', visibility: 'all' } }) } },
    texts: { of: ({ value }: { value: { bytes: number } }) => 'é'.repeat(value.bytes / 2) },
    peer: { repo_name: 'r' },
    rules: { ...REPLICATION_RULES, batchBytes: 100 * MIB },
  }
  const batch = new Outgoing(deps as unknown as OutgoingDeps, new Set(told))
  return { batch, packet: (id: string, bytes: number) => change('packet', id, bytes) }
}

const idsOf = (changes: readonly SequencedChange[]) => changes.map(({ id }) => id)

describe('a batch', () => {
  test('takes no more bytes than a peer does', () => {
    const { batch, packet } = outgoing()
    expect(batch.add(packet('a', 5 * MIB))).toBe(true)
    expect(batch.add(packet('b', 4 * MIB))).toBe(false)
    expect(batch.add(packet('c', 2 * MIB))).toBe(true)
    expect(idsOf(batch.calls.map(({ change }) => change))).toEqual(['a', 'c'])
    expect(batch.tooLong).toEqual([])
  })

  test('leaves out what no request has room for', () => {
    const { batch, packet } = outgoing()
    expect(batch.add(packet('a', 5 * MIB))).toBe(true)
    expect(batch.add(packet('b', LIMITS.peerBodyBytes))).toBe(true)
    expect(idsOf(batch.tooLong)).toEqual(['b'])
  })

  test('takes a project before a part that has no room beside it', () => {
    const { batch, packet } = outgoing([])
    expect(batch.add(packet('a', 6 * MIB))).toBe(true)
    expect(idsOf(batch.calls.map(({ change }) => change))).toEqual(['p'])
    expect(idsOf(batch.tooLong)).toEqual(['a'])
  })
})
