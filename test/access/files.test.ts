import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { newcomer } from '../support/daemons/newcomer.ts'

test('a file is shown to those who see a packet that names it, whoever knows its hash', async () => {
  await using here = await daemon()
  const made = async (visibility: string) =>
    (await here.rpc('cacp/project/create', { name: visibility, objective: 'o', visibility })).projectId
  const [all, members] = [await made('all'), await made('members')]
  const upload = { method: 'POST' as const, headers: { 'content-type': 'application/octet-stream' } }
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')
  const share = (projectId: string, text: string) =>
    here.rpc('cacp/file/share', {
      projectId,
      file: { name: 'f', content: Buffer.from(text).toString('base64') },
    })
  await share(all, 'for all')
  await share(members, 'for members')
  await here.fetch('/files', { ...upload, body: 'for nobody yet' })

  const { url } = await here.rpc('cacp/invite/create', {})
  const { body } = await (await newcomer('outsider-api')).pair(url)
  const peer = { authorization: `Bearer ${body['apiKey']}` }
  const tokenFor = async (projectId: string) => {
    const { token } = await here.rpc('cacp/token/issue', { projectId, permissions: ['project:read'] })
    return { 'x-project-token': token, authorization: '' }
  }
  const shown = async (headers: Record<string, string>) => {
    const texts = ['for all', 'for members', 'for nobody yet']
    const replies = await Promise.all(texts.map((text) => here.fetch(`/files/${sha(text)}`, { headers })))
    return replies.map(({ status }) => status)
  }
  expect(await shown({})).toEqual([200, 200, 200])
  expect(await shown(peer)).toEqual([200, 404, 404])
  expect(await shown(await tokenFor(all))).toEqual([200, 404, 404])
  expect(await shown(await tokenFor(members))).toEqual([404, 200, 404])
})
