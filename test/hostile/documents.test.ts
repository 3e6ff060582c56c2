import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/protocol/json/json.ts'
import { createProject } from '../cluster/pairs.ts'
import { docPacket } from '../domain/doc-objects.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { asPlain, naive, openPlainDesk } from '../support/plain-peer/plain-desk.ts'
import { inSeconds, invitedBy } from './invited.ts'

/** The document's own sync methods in the hands of somebody who was let in and is hostile. */

const CHANGES: Record<
  string,
  (whole: { contract: JsonObject; packet: JsonObject; project: JsonObject }) => [string, JsonObject]
> = {
  'other content for the same version': ({ contract }) => [
    'contract',
    { ...contract, content: { path: '/evil' } },
  ],
  'other content for the same version, with a later stamp': ({ contract }) => [
    'contract',
    { ...contract, content: { path: '/evil' }, updated_at: inSeconds(60) },
  ],
  'other content for the same version, with an earlier stamp': ({ contract }) => [
    'contract',
    { ...contract, content: { path: '/evil' }, updated_at: inSeconds(-9000) },
  ],
  'a later version': ({ contract }) => [
    'contract',
    { ...contract, content: { path: '/evil' }, version: 2, updated_at: inSeconds(60) },
  ],
  'another name, author and older created_at of a contract': ({ contract }) => [
    'contract',
    { ...contract, name: 'Mine', proposed_by: 'eve', created_at: inSeconds(-9000) },
  ],
  'a status that others did not agree to': ({ contract }) => [
    'contract',
    { ...contract, status: 'verified' },
  ],
  'a redaction of a packet': ({ packet }) => ['packet', { ...packet, redacted: true, content: {} }],
  'other content of a packet': ({ packet }) => ['packet', { ...packet, content: { decision: 'none' } }],
  'a packet of another repo': ({ packet }) => ['packet', { ...packet, packet_id: 'k1' }],
  'another name, visibility and older created_at of the project': ({ project }) => [
    'project',
    { ...project, name: 'Mine', visibility: 'members', created_at: inSeconds(-9000) },
  ],
  'a project without its parts': ({ project }) => [
    'project',
    { ...project, repos: [], contracts: [], context_history: [], updated_at: inSeconds(60) },
  ],
}

const METHODS: Readonly<Record<string, string>> = {
  contract: 'cacp/contract/sync',
  packet: 'cacp/context/sync',
  project: 'cacp/project/sync',
}

describe('a paired daemon that uses the document’s sync methods', () => {
  test('changes nothing by them, whatever it sends', async () => {
    await using backend = await daemon()
    const projectId = await createProject(backend)
    await backend.rpc('cacp/project/join', { projectId, repoName: 'backend-api' })
    const proposal = { projectId, type: 'api_endpoint', name: 'Me', content: { path: '/me' } }
    const { contractId } = await backend.rpc('cacp/contract/propose', proposal)
    await backend.rpc('cacp/context/share', { projectId, type: 'decision', content: { decision: 'JWT' } })
    const eve = await invitedBy(backend, 'eve')
    await eve.tell(eve.author.claim(projectId, 'eve', inSeconds(0)))
    const state = () => backend.rpc('cacp/project/get', { projectId })
    const project = await state()
    const contract = await backend.rpc('cacp/contract/get', { projectId, contractId })
    const [packet] = project.context_history
    for (const [what, change] of Object.entries(CHANGES)) {
      const [kind, sent] = change({ contract, packet, project })
      for (const source of [undefined, eve.agentId, 'aid://example.com/backend@1.0.0']) {
        const params = { projectId, [kind]: sent, ...(source && { source_agent: source }) }
        const refused = { status: 'error', kind: 'forbidden' }
        expect(await eve.call(METHODS[kind] ?? '', params), what).toMatchObject(refused)
      }
      expect(await state(), what).toEqual(project)
    }
  })
})

describe('a peer that signs nothing', () => {
  test('makes no repos by inventing those that its packets are from', async () => {
    await using at = await openPlainDesk()
    const { desk, projectId } = at
    const statements = desk.store.health().statements
    const repos = at.found().repos.size
    for (let index = 0; index < 200; index++) {
      const packet = docPacket({ packet_id: `k${index}`, from_repo: `invented-${index}` })
      const sent = { projectId, packet: { ...packet, timestamp: naive(desk.clock.now()) } }
      expect(await desk.send('cacp/context/sync', sent, asPlain)).toMatchObject({ status: 'error' })
    }
    expect(at.found().repos.size).toBe(repos)
    expect(at.found().packets.size).toBe(0)
    expect(desk.store.health().statements).toBe(statements)
    expect(desk.store.view.shadows.size).toBeLessThanOrEqual(1)
  })
})
