import { describe, expect, test } from 'vitest'
import { FRONTEND, openDesk, openFeature } from '../../support/desk/desk.ts'

const HELLO = { name: 'hello.txt', content: 'aGVsbG8=', contentType: 'text/plain' }
const HELLO_SHA = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'

describe('files', () => {
  test('a shared file becomes a packet that names its hash', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const shared = await backend('cacp/file/share', { projectId, file: HELLO, purpose: 'sample' })
    expect(shared).toEqual({
      status: 'received',
      packetId: expect.any(String),
      sha256: HELLO_SHA,
      savedTo: `/files/${HELLO_SHA}`,
      size: 5,
    })
    expect((await backend('cacp/context/list', { projectId })).packets[0]?.content).toEqual({
      file: { name: 'hello.txt', contentType: 'text/plain', size: 5, sha256: HELLO_SHA },
      purpose: 'sample',
    })
    const { content: _, ...named } = HELLO
    expect(
      await backend('cacp/file/share', { projectId, file: { ...named, sha256: HELLO_SHA } }),
    ).toMatchObject({ size: 5 })
  })

  test('a request is open until a file answers it', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const { requestId } = await frontend('cacp/file/request', {
      projectId,
      description: 'A sample login response',
      suggestedFormat: 'json',
    })
    const { repos } = await backend('cacp/project/get', { projectId })
    const frontendRepo = repos.find(({ agent_id }) => agent_id === FRONTEND)
    expect((await backend('cacp/file/listRequests', { projectId })).requests).toMatchObject([
      {
        requestId,
        projectId,
        requestedBy: frontendRepo?.repo_id,
        description: 'A sample login response',
        suggestedFormat: 'json',
        fulfilled: false,
      },
    ])
    expect(await backend('cacp/file/fulfillRequest', { requestId, file: HELLO })).toMatchObject({
      status: 'fulfilled',
      sha256: HELLO_SHA,
    })
    expect((await backend('cacp/file/listRequests', { projectId })).requests).toEqual([])
    expect(
      (await backend('cacp/file/listRequests', { projectId, includeFulfilled: true })).requests,
    ).toMatchObject([{ fulfilled: true }])
  })

  test.each([
    [{ ...HELLO, content: '@@@' }, 'file.content'],
    [{ ...HELLO, content: 'aGVsbG8' }, 'file.content'],
    [{ ...HELLO, name: '../../etc/passwd' }, 'file.name'],
    [{ name: 'a', contentType: 'text/plain' }, 'file'],
    [{ name: 'a', sha256: '../x' }, 'file.sha256'],
    [{ name: 'a', sha256: HELLO_SHA }, 'file.sha256'],
  ])('%o is refused and names %s', async (file, field) => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    await expect(backend('cacp/file/share', { projectId, file })).rejects.toMatchObject({ data: { field } })
    expect((await backend('cacp/context/list', { projectId })).packets).toEqual([])
  })

  test.each(['x', '', 'a:b:c', '__proto__:x'])('requestId %j is refused', async (requestId) => {
    await using desk = await openDesk()
    await openFeature(desk)
    await expect(desk.call('cacp/file/fulfillRequest', { requestId, file: HELLO })).rejects.toMatchObject({
      kind: expect.stringMatching(/invalid_params|not_found/),
    })
  })
})
