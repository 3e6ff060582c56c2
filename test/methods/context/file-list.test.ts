import { expect, test } from 'vitest'
import { openDesk, openFeature } from '../../support/desk/desk.ts'

test('the files of a project are listed, newest first, with who shared them and when', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const file = (name: string, text: string) => ({ name, content: btoa(text), contentType: 'text/plain' })
  const first = await backend('cacp/file/share', {
    projectId,
    file: file('a.txt', 'hello'),
    purpose: 'a sample',
  })
  const second = await frontend('cacp/file/share', { projectId, file: file('b.txt', 'hi') })
  const { packetId: taken } = await frontend('cacp/file/share', { projectId, file: file('c.txt', 'oh') })
  await frontend('cacp/context/redact', { projectId, packetId: taken })
  await backend('cacp/context/share', { projectId, type: 'test_case', content: { file: 'no file' } })
  const { files } = await backend('cacp/file/list', {})
  expect(files).toEqual([
    {
      name: 'b.txt',
      size: 2,
      contentType: 'text/plain',
      from: 'frontend-app',
      at: expect.any(String),
      purpose: '',
      sha256: second.sha256,
      packetId: second.packetId,
    },
    expect.objectContaining({
      name: 'a.txt',
      size: 5,
      from: 'backend-api',
      purpose: 'a sample',
      sha256: first.sha256,
    }),
  ])
  expect((await backend('cacp/file/list', { projectId, limit: 1 })).files).toEqual(files.slice(0, 1))
  const older = await backend('cacp/file/list', { projectId, before: second.packetId })
  expect(older.files).toEqual(files.slice(1))
})
