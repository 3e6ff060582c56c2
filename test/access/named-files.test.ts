import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { newcomer } from '../support/daemons/newcomer.ts'

/** Whoever names a file hands it to all who see the packet, and so to himself: the file must be his to hand on. */

const SECRET = 'for members'
const SHA = createHash('sha256').update(SECRET).digest('hex')
const inline = (text: string) => ({ name: 'f', content: Buffer.from(text).toString('base64') })
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

test('a packet that a peer shares here does not give it a file that it may not see', async () => {
  const { here, open } = await withSecret()
  await using _ = here
  const { headers } = await outsiderAt(here)
  await here.rpc('cacp/project/addRepo', { projectId: open, name: 'outsider-api' })
  await here.rpc('cacp/project/join', { projectId: open, repoName: 'outsider-api' }, headers)
  const naming = { projectId: open, type: 'dependency_info', content: { file: { name: 'f', sha256: SHA } } }
  await expect(here.rpc('cacp/context/share', naming, headers)).rejects.toMatchObject({
    data: { kind: 'not_found' },
  })
  expect(await statusOf(here, headers)).toBe(404)
  const { token } = await here.rpc('cacp/token/issue', {
    projectId: open,
    permissions: ['project:read', 'file:share'],
  })
  const other = await here.rpc('cacp/token/issue', { projectId: open, permissions: ['project:read'] })
  // Another one of the same agent is perhaps in other hands.
  await upload(here, { 'x-project-token': token, authorization: '' })
  expect(await statusOf(here, { 'x-project-token': other.token, authorization: '' })).toBe(404)

  expect((await upload(here, headers)).status).toBe(201)
  expect(await statusOf(here, headers)).toBe(200)
  // With the file it may hand it on.
  await here.rpc('cacp/context/share', naming, headers)
  await here.restart()
  expect(await statusOf(here, { 'x-project-token': other.token, authorization: '' })).toBe(200)
})

test('a peer that named a file before anybody knew it hands nothing on by that when the file comes', async () => {
  await using here = await daemon()
  const { projectId } = await here.rpc('cacp/project/create', { name: 'n', objective: 'o' })
  const { headers } = await outsiderAt(here)
  await here.rpc('cacp/project/addRepo', { projectId, name: 'outsider-api' })
  await here.rpc('cacp/project/join', { projectId, repoName: 'outsider-api' }, headers)
  const naming = { projectId, type: 'dependency_info', content: { file: { name: 'f', sha256: SHA } } }
  await here.rpc('cacp/context/share', naming, headers)
  const kept = { name: 'm', objective: 'o', visibility: 'members' }
  const { projectId: members } = await here.rpc('cacp/project/create', kept)
  await here.rpc('cacp/file/share', { projectId: members, file: inline(SECRET) })
  expect(await statusOf(here, headers)).toBe(404)
  const { token } = await here.rpc('cacp/token/issue', { projectId, permissions: ['project:read'] })
  expect(await statusOf(here, { 'x-project-token': token, authorization: '' })).toBe(404)
})
