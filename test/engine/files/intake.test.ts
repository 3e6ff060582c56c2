import { expect, test } from 'vitest'
import type { Decision } from '../../../src/domain/change.ts'
import type { View } from '../../../src/domain/view.ts'
import { createFileIntake, type FileIntake } from '../../../src/engine/files/intake.ts'
import type { Files, Store } from '../../../src/engine/ports/ports.ts'
import { EARLIEST } from '../../../src/protocol/stamp.ts'
import { signerOf } from '../../support/desk/signer.ts'

const KIB = 1024
const PARTY = { kind: 'peer', agentId: 'agent-web' } as const

/** An intake that keeps nothing but who brought how much. */
function intakeOf(bytesPerCaller: number): FileIntake {
  const uploads: unknown[] = []
  const view = { uploads: { oldestFirst: () => uploads }, projectsNaming: () => [] } as unknown as View
  let count = 0
  const files: Pick<Files, 'put'> = {
    async put(source) {
      let size = 0
      for await (const chunk of source) size += chunk.length
      return { sha256: String(++count), size }
    },
  }
  const store = {
    view,
    async commit<Result>(decide: (view: View) => Decision<Result>) {
      const { result, local = [] } = decide(view)
      for (const { value } of local) uploads.push(value)
      return result
    },
  }
  return createFileIntake({
    files: files as Files,
    store: store as unknown as Store,
    clock: { now: () => EARLIEST },
    self: { signer: signerOf('here') },
    bytesPerCaller,
  })
}

async function* bytes(...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size)
}

test('an upload that begins before another one ends counts what that one brought', async () => {
  const intake = intakeOf(3 * KIB)
  let goOn = () => {}
  const waited = new Promise<void>((resolve) => {
    goOn = resolve
  })
  async function* slowly(): AsyncGenerator<Uint8Array> {
    yield* bytes(KIB)
    await waited
    yield* bytes(KIB)
  }
  const slow = intake.put(slowly(), { party: PARTY })
  await intake.put(bytes(2 * KIB), { party: PARTY })
  goOn()
  await expect(slow).rejects.toMatchObject({ kind: 'storage_full' })
  // What was refused takes no room.
  await intake.put(bytes(KIB), { party: PARTY })
  await expect(intake.put(bytes(KIB), { party: PARTY })).rejects.toMatchObject({ kind: 'storage_full' })
})

test('an upload that is refused takes no room from those that came before it', async () => {
  const intake = intakeOf(3 * KIB)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => intake.put(bytes(KIB), { party: PARTY })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

test('however small they are, no caller brings files without end', async () => {
  const intake = intakeOf(3 * KIB)
  for (let count = 0; count < 3; count++) await intake.put(bytes(count), { party: PARTY })
  await expect(intake.put(bytes(0), { party: PARTY })).rejects.toMatchObject({ kind: 'storage_full' })
})
