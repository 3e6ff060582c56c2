import { expect, test } from 'vitest'
import type { Change } from '../../src/domain/change.ts'
import type { Packet, Project } from '../../src/domain/model.ts'
import { HandoverTexts } from '../../src/engine/replicate/handover-texts.ts'

test('texts are written once while they are in use, and not kept for ever', () => {
  let written = 0
  const packet = (id: string): Change => {
    const content = {
      toJSON: () => {
        written++
        return 'x'.repeat(1024 * 1024)
      },
    }
    const value = { packet_id: id, content, extra: {}, others: [] } as unknown as Packet
    return { kind: 'packet', project_id: 'p', id, value }
  }
  const texts = new HandoverTexts({ agentId: 'aid://example.com/a@1.0.0', life: 'life-1' })
  const first = packet('first')
  texts.of(first, {} as Project)
  const once = written
  texts.of(first, {} as Project)
  expect(written).toBe(once)
  for (let n = 0; n < 20; n++) texts.of(packet(`${n}`), {} as Project)
  const before = written
  texts.of(first, {} as Project)
  expect(written).toBeGreaterThan(before)
})
