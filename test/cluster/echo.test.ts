import { describe, expect, test } from 'vitest'
import { type Statement, textOf } from '../../src/domain/statements/statement.ts'
import { stampOfMillis } from '../../src/protocol/stamp.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { SigningAuthor } from '../support/desk/signing-author.ts'
import { fakePeer } from '../support/network/fake-peer.ts'

const SOON = { timeout: 10_000 }

/** A peer that says that this life of its is `first`, and notes what it is told. */
async function hearing(name: string) {
  const heard: string[] = []
  /** In which lives of its the daemon called. */
  const bootIds = new Set<string>()
  const peer = await fakePeer({
    name,
    results: {
      'cacp/sync/hello': ({ bootId }: { bootId: string }) => {
        bootIds.add(bootId)
        return { storeId: name, bootId: 'first', now: new Date().toISOString() }
      },
      'cacp/sync/statements': ({ bootId, statements }: { bootId: string; statements: readonly string[] }) => {
        bootIds.add(bootId)
        return {
          outcomes: statements.map((text) => {
            heard.push((JSON.parse(text) as Statement).id)
            return { status: 'taken' }
          }),
        }
      },
    },
  })
  return { ...peer, heard, bootIds }
}

/** Two peers of a daemon; the first one hands over a project in this life of its. */
async function told(bootId: string | undefined) {
  const backend = await daemon({ open: true })
  const sender = await hearing('sender')
  const other = await hearing('other')
  for (const peer of [sender, other]) await backend.rpc('cacp/peer/add', { url: peer.url })
  await expect.poll(() => sender.calls, SOON).toContain('cacp/sync/digest')
  const founding = new SigningAuthor(sender.agentId).found(stampOfMillis(Date.now()))
  const params = { statements: [textOf(founding)], ...(bootId === undefined ? {} : { bootId }) }
  await backend.rpc('cacp/sync/statements', params, { authorization: '', 'x-agent-id': sender.agentId })
  return {
    id: founding.id,
    backend,
    sender,
    other,
    async [Symbol.asyncDispose]() {
      for (const one of [backend, sender, other]) await one[Symbol.asyncDispose]()
    },
  }
}

describe('what a peer sent', () => {
  test('is told to everybody else, and not to itself after the same start', async () => {
    await using scene = await told('first')
    const { id, backend, sender, other } = scene
    await expect.poll(() => other.heard, SOON).toContain(id)
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'next', objective: 'o' })
    expect(projectId).toEqual(expect.any(String))
    await expect.poll(() => sender.heard.length, SOON).toBeGreaterThan(0)
    expect(sender.heard).not.toContain(id)
  })

  test.each(['earlier', undefined])(
    'is told to it too after its start %s, which may have known more',
    async (bootId) => {
      await using scene = await told(bootId)
      await expect.poll(() => scene.sender.heard, SOON).toContain(scene.id)
    },
  )
})

test('a daemon names the same boot id when it calls and when it answers, so that a peer sends nothing back', async () => {
  await using backend = await daemon({ open: true })
  await using peer = await hearing('peer')
  await backend.rpc('cacp/peer/add', { url: peer.url })
  await backend.rpc('cacp/project/create', { name: 'a', objective: 'b' })
  await expect.poll(() => peer.heard.length, SOON).toBeGreaterThan(0)
  const { bootId } = await backend.rpc(
    'cacp/sync/hello',
    { storeId: 'peer', bootId: 'first' },
    { authorization: '', 'x-agent-id': peer.agentId },
  )
  expect([...peer.bootIds]).toEqual([bootId])
})
