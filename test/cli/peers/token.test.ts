import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const placeOf = ({ dataDir }: TestDaemon) => ({ cwd: dirname(dataDir) })

test('cacpd token prints a token once, alone on stdout; it works until it is revoked', async () => {
  await using backend = await daemon()
  const place = placeOf(backend)
  const { projectId } = await backend.rpc('cacp/project/create', { name: 'User Auth', objective: 'o' })
  const words = ['token', 'issue', '--project', 'User Auth', '--permission', 'project:read,context:share']
  const issued = await cacpd([...words, '--expires', '2h'], place)
  expect(issued).toMatchObject({ exitCode: 0, err: expect.stringContaining('X-Project-Token') })
  expect(issued.out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  expect(issued.err).not.toContain(issued.out.trim())

  const withToken = { 'x-project-token': issued.out.trim(), authorization: '' }
  const read = () => backend.rpc('cacp/project/get', { projectId }, withToken)
  expect(await read()).toMatchObject({ name: 'User Auth' })

  const short = projectId.slice(0, 13)
  expect(await cacpd([...words.with(3, short)], place)).toMatchObject({ exitCode: 0 })
  const listed = await cacpd(['token', 'list', '--project', short, '--json'], place)
  const [token] = JSON.parse(listed.out).tokens
  expect(token).toMatchObject({ status: 'active', permissions: ['project:read', 'context:share'] })
  expect((Date.parse(token.expiresAt) - Date.parse(token.issuedAt)) / 1000).toBe(7200)
  expect(listed.out).not.toContain(issued.out.trim().split('.')[2])

  expect(await cacpd(['token', 'revoke', token.tokenId], place)).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('revoked'),
  })
  await expect(read()).rejects.toMatchObject({ message: 'X-Project-Token: this token was revoked' })
  expect((await cacpd(['token', 'list'], place)).out).toMatch(/ revoked .* project:read,context:share /)
})

test.each([
  [['--permission', 'project:all'], 'permissions.0: must be one of project:read'],
  [['--permission', 'project:read', '--expires', '25h'], '--expires: must be a time such as 90s, 30m or 24h'],
  [['--permission', 'project:read', '--agent', ' '], 'agentId'],
  [[], '--permission'],
])('cacpd token issue %j is refused with a sentence', async (words, sentence) => {
  await using backend = await daemon()
  await backend.rpc('cacp/project/create', { name: 'P', objective: 'o' })
  const { exitCode, out, err } = await cacpd(['token', 'issue', '--project', 'P', ...words], placeOf(backend))
  expect(exitCode).not.toBe(0)
  expect(out).toBe('')
  expect(err).toContain(sentence)
})
