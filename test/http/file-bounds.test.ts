import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'

const KIB = 1024

function upload(here: TestDaemon, bytes: number, headers: Record<string, string> = {}) {
  const sent = { ...headers, 'content-type': 'application/octet-stream' }
  return here.fetch('/files', { method: 'POST', headers: sent, body: randomBytes(bytes) })
}

async function sharing(here: TestDaemon) {
  const { projectId } = await here.rpc('cacp/project/create', { name: 'n', objective: 'o' })
  const { token, tokenId } = await here.rpc('cacp/token/issue', { projectId, permissions: ['file:share'] })
  return { projectId, tokenId, headers: { 'x-project-token': String(token), authorization: '' } }
}

test('one caller brings no more than its share of files, however many at once and also after a restart', async () => {
  await using here = await daemon({ fileBytesPerCaller: 3 * KIB })
  const { projectId, headers } = await sharing(here)
  const replies = await Promise.all(Array.from({ length: 8 }, () => upload(here, KIB, headers)))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 507, 507, 507, 507, 507])
  expect(replies.find(({ status }) => status === 507)?.json).toMatchObject({
    error: { kind: 'storage_full', next: expect.stringContaining('fileBytesPerCaller') },
  })
  await here.restart()
  const file = { name: 'f', content: randomBytes(10).toString('base64') }
  await expect(here.rpc('cacp/file/share', { projectId, file }, headers)).rejects.toMatchObject({
    data: { kind: 'storage_full' },
  })
  expect((await upload(here, 4 * KIB)).status).toBe(201)
})

test('a store that is full of files can still be shut to whoever filled it', async () => {
  await using here = await daemon({ quotaBytes: KIB * KIB, fileBytesPerCaller: 2 * KIB * KIB })
  const { projectId, tokenId, headers } = await sharing(here)
  for (let bytes = 256 * KIB; bytes >= 1; )
    if ((await upload(here, bytes, headers)).status === 507) bytes = Math.floor(bytes / 2)
  await expect(here.rpc('cacp/project/create', { name: 'm', objective: 'o' })).rejects.toMatchObject({
    data: { kind: 'storage_full' },
  })
  await here.rpc('cacp/token/revoke', { tokenId })
  expect((await upload(here, 10, headers)).status).toBe(401)
  await here.rpc('cacp/token/issue', { projectId, permissions: ['project:read'] })
  await here.rpc('cacp/invite/create', {})
})
