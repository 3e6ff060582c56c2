import { describe, expect, test } from 'vitest'
import type { Env } from '../../../src/domain/env.ts'
import { ChangeLog } from '../../../src/engine/log/change-log.ts'
import { createInbox } from '../../../src/engine/seat/inbox/inbox.ts'
import { BACKEND, type Desk, FRONTEND, openDesk, openFeature } from '../../support/desk/desk.ts'
import { namingBackend } from '../../support/desk/inbox-scenes.ts'
import { signerOf } from '../../support/desk/signer.ts'

/** An inbox beside the desk's own, and how often each agent was woken by it. */
function watching(desk: Desk) {
  const log = new ChangeLog(desk.store.statements())
  const inbox = createInbox({
    takeMinutes: 30,
    self: { signer: signerOf(BACKEND) },
    store: desk.store,
    log,
    pause: async () => {},
  })
  desk.store.onDurable((changes) => {
    log.record(changes)
    inbox.notice()
  })
  return inbox
}

const frontendCaller = { kind: 'operator', agentId: FRONTEND, repoName: null } as const

describe('whoever watches an inbox', () => {
  test('is woken when there is something to do, by an undone ack, and by nothing that concerns others', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const inbox = watching(desk)
    const env = { caller: frontendCaller, now: desk.clock.now() } as Env
    let woken = 0
    const stop = inbox.watch(frontendCaller, () => woken++)
    /** Whoever is to be woken is, by the next turn. */
    const count = async () => {
      const counted = await inbox.urgent(frontendCaller)
      await new Promise((resolve) => setImmediate(resolve))
      return counted
    }
    expect(await count()).toBe(0)

    await frontend('cacp/contract/propose', { projectId, type: 'custom', name: 'Mine', content: {} })
    expect(await count()).toBe(0)
    const before = woken

    const other = await backend('cacp/project/create', { name: 'Other', objective: '' })
    await backend('cacp/context/askQuestion', { projectId: other.projectId, question: 'Anybody?' })
    expect(await count()).toBe(0)
    expect(woken).toBe(before)

    await backend('cacp/context/askQuestion', { projectId, question: 'JWT?' })
    expect(await count()).toBe(1)
    expect(woken).toBe(before + 1)

    const { items } = await inbox.list({ limit: 1, includeAcked: false }, env)
    const itemId = items[0]?.id ?? ''
    await inbox.ack({ itemId, undo: false }, env)
    expect(woken).toBe(before + 1)
    await inbox.ack({ itemId, undo: true }, env)
    expect(woken).toBe(before + 2)

    stop()
    await backend('cacp/context/askQuestion', { projectId, question: 'Or cookies?' })
    expect(await count()).toBe(2)
    expect(woken).toBe(before + 2)
  })

  test('is woken by a project that names its repo', async () => {
    await using desk = await openDesk()
    const inbox = watching(desk)
    const backendCaller = { kind: 'operator', agentId: BACKEND, repoName: 'backend-api' } as const
    const woken = new Promise<void>((resolve) => inbox.watch(backendCaller, resolve))
    expect(await inbox.urgent(backendCaller)).toBe(0)
    await namingBackend({ frontend: desk.as(FRONTEND) })
    await woken
    expect(await inbox.urgent(backendCaller)).toBe(1)
  })
})
