import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemon.ts'
import { newcomer } from '../support/newcomer.ts'

/** Whoever names a file hands it to all who see the packet, and so to himself: the file must be his to hand on. */

const SECRET = 'for members'
const SHA = createHash('sha256').update(SECRET).digest('hex')
const inline = (text: string) => ({ name: 'f', content: Buffer.from(text).toString('base64') })
const BEFORE = '2025-01-01T09:00:00.000000Z'
const byHash = { name: 'f', sha256: SHA }

/** A daemon with a file that is kept among the members of a project, and an open project besides. */
async function withSecret(): Promise<{ here: TestDaemon; open: string; members: string }> {
  const here = await daemon()
  const made = async (visibility: string) =>
    (await here.rpc('cacp/project/create', { name: visibility, objective: 'o', visibility })).projectId
  const [open, members] = [await made('all'), await made('members')]
  await here.rpc('cacp/file/share', { projectId: members, file: inline(SECRET) })
  return { here, open, members }
}

const outsiderAt = async (here: TestDaemon) => {
  const { url } = await here.rpc('cacp/invite/create', {})
  const outsider = await newcomer('outsider-api')
  const { body } = await outsider.pair(url)
  const headers = { authorization: `Bearer ${body['apiKey']}` }
  return { agentId: outsider.agentId, headers }
}

const statusOf = async (here: TestDaemon, headers: Record<string, string>) =>
  (await here.fetch(`/files/${SHA}`, { headers })).status

const upload = (here: TestDaemon, headers: Record<string, string>) =>
  here.fetch('/files', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body: SECRET,
  })

test('a token cannot name a file of a project that it does not see, in whatever call', async () => {
  const { here, open } = await withSecret()
  await using _ = here
  const { token } = await here.rpc('cacp/token/issue', {
    projectId: open,
    permissions: ['project:read', 'file:share', 'context:share'],
  })
  const headers = { 'x-project-token': token, authorization: '' }
  const refused = { data: { kind: 'not_found' } }
  const { requestId } = await here.rpc('cacp/file/request', { projectId: open, description: 'any' })
  for (const [method, params] of [
    ['cacp/file/share', { projectId: open, file: byHash }],
    ['cacp/file/fulfillRequest', { projectId: open, requestId, file: byHash }],
    [
      'cacp/context/share',
      { projectId: open, type: 'dependency_info', content: { file: { name: 'f', sha256: SHA } } },
    ],
  ] as const)
    await expect(here.rpc(method, params, headers)).rejects.toMatchObject(refused)
  expect(await statusOf(here, headers)).toBe(404)

  // Whoever has the bytes needs nobody's leave.
  expect((await upload(here, headers)).status).toBe(201)
  await here.restart()
  expect(await here.rpc('cacp/file/share', { projectId: open, file: byHash }, headers)).toMatchObject({
    status: 'received',
  })
  expect(await statusOf(here, headers)).toBe(200)
})

test('a packet that a peer hands over does not give it a file that it may not see, whoever is said to have written it', async () => {
  const { here, open } = await withSecret()
  await using _ = here
  const { agentId, headers } = await outsiderAt(here)
  const { repos } = await here.rpc('cacp/project/get', { projectId: open })
  const packetBy = (from_agent: string, packet_id: string) => ({
    packet_id,
    from_repo: repos[0].repo_id,
    from_agent,
    timestamp: BEFORE,
    type: 'dependency_info',
    content: { file: { name: 'f', sha256: SHA } },
  })
  for (const [index, author] of [agentId, 'aid://example.com/backend@1.0.0'].entries())
    expect(
      await here.rpc(
        'cacp/context/sync',
        { projectId: open, packet: packetBy(author, `p-${index}`) },
        headers,
      ),
    ).toMatchObject({ status: 'created' })
  expect(await statusOf(here, headers)).toBe(404)
  // Nor anybody else who sees nothing but those packets, and not after a restart.
  await here.restart()
  const { token } = await here.rpc('cacp/token/issue', { projectId: open, permissions: ['project:read'] })
  expect(await statusOf(here, { 'x-project-token': token, authorization: '' })).toBe(404)
  expect(await statusOf(here, headers)).toBe(404)
  expect(await statusOf(here, {})).toBe(200)

  // Another one of the same agent is perhaps in other hands.
  const other = await here.rpc('cacp/token/issue', {
    projectId: open,
    permissions: ['project:read', 'file:share'],
  })
  await upload(here, { 'x-project-token': other.token, authorization: '' })
  expect(await statusOf(here, { 'x-project-token': token, authorization: '' })).toBe(404)

  expect((await upload(here, headers)).status).toBe(201)
  expect(await statusOf(here, headers)).toBe(200)
  // With the file it hands on what it says itself, but not what it says that another wrote.
  const own = { projectId: open, packet: packetBy(agentId, 'p-0') }
  expect(await here.rpc('cacp/context/sync', own, headers)).toMatchObject({ status: 'skipped' })
  expect(await statusOf(here, { 'x-project-token': token, authorization: '' })).toBe(200)
})

test('a peer that named a file before anybody knew it gets nothing by that when the file comes', async () => {
  await using here = await daemon()
  const { projectId } = await here.rpc('cacp/project/create', { name: 'n', objective: 'o' })
  const { agentId, headers } = await outsiderAt(here)
  const { repos } = await here.rpc('cacp/project/get', { projectId })
  const packet = {
    packet_id: 'p-early',
    from_repo: repos[0].repo_id,
    from_agent: agentId,
    timestamp: BEFORE,
    type: 'dependency_info',
    content: { file: { name: 'f', sha256: SHA } },
  }
  await here.rpc('cacp/context/sync', { projectId, packet }, headers)
  const { projectId: kept } = await here.rpc('cacp/project/create', {
    name: 'm',
    objective: 'o',
    visibility: 'members',
  })
  await here.rpc('cacp/file/share', { projectId: kept, file: inline(SECRET) })
  expect(await statusOf(here, headers)).toBe(404)
})
