import { createHash } from 'node:crypto'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { cacpd } from './captured-terminal.ts'

// Neither UTF-8 nor JSON.
const BYTES = Buffer.from([0, 255, 254, 10, 13, 128])
const SHA256 = createHash('sha256').update(BYTES).digest('hex')

let running: TestDaemon
let cwd: string
let projectId: string

beforeAll(async () => {
  running = await daemon()
  cwd = dirname(running.dataDir)
  await writeFile(join(cwd, 'logo.png'), BYTES)
  projectId = (await running.rpc('cacp/project/create', { name: 'n', objective: 'o' })).projectId
})
afterAll(() => running[Symbol.asyncDispose]())

const fileOfLastPacket = async () =>
  (await running.rpc('cacp/context/list', { projectId })).packets.at(-1).content.file

describe('cacpd file share', () => {
  test.each([
    [['logo.png'], { name: 'logo.png', contentType: 'application/octet-stream' }],
    [['--file', 'logo.png', '--content-type', 'image/png'], { name: 'logo.png', contentType: 'image/png' }],
    [['--file', '@logo.png', '--name', 'Logo'], { name: 'Logo', contentType: 'application/octet-stream' }],
  ])('shares a file from disk: %j', async (words, about) => {
    const { exitCode, out, err } = await cacpd(
      ['file', 'share', '--project-id', projectId, '--purpose', 'header', '--json', ...words],
      { cwd },
    )
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ status: 'received', sha256: SHA256, size: BYTES.length })
    expect(await fileOfLastPacket()).toEqual({ ...about, sha256: SHA256, size: BYTES.length })
  })

  test('takes JSON in place and from stdin as before', async () => {
    const json = '{"name":"hello.txt","content":"aGVsbG8="}'
    const share = ['file', 'share', '--project-id', projectId, '--content-type', 'text/plain', '--file']
    expect(await cacpd([...share, json], { cwd })).toMatchObject({ exitCode: 0 })
    expect(await cacpd([...share, '-'], { cwd, input: json })).toMatchObject({ exitCode: 0 })
    expect(await fileOfLastPacket()).toMatchObject({ name: 'hello.txt', contentType: 'text/plain', size: 5 })
  })

  test.each([
    [['nope.png'], '--file: the file nope.png cannot be read (ENOENT)'],
    [['.'], '--file: . is not a file'],
    [['large.bin'], '--file: large.bin is larger than 10 MiB'],
    [['logo.png', '--name', 'a/b'], '--file.name: must be a plain file name'],
    [['logo.png', '--file', 'logo.png'], 'Name one path, not two'],
    [[], 'Name the file: PATH or --file\nnext: See cacpd file share --help'],
  ])('%j is wrong usage', async (words, message) => {
    await writeFile(join(cwd, 'large.bin'), '')
    await truncate(join(cwd, 'large.bin'), 10 * 1024 * 1024 + 1)
    expect(await cacpd(['file', 'share', '--project-id', 'p', ...words], { cwd })).toEqual({
      exitCode: 2,
      out: '',
      err: `error: ${message}\n`,
    })
  })
})

test('cacpd file fulfill-request answers with a file from disk', async () => {
  const { requestId } = await running.rpc('cacp/file/request', { projectId, description: 'a logo' })
  const words = ['file', 'fulfill-request', 'logo.png', '--request-id', requestId]
  expect(await cacpd(words, { cwd })).toMatchObject({ exitCode: 0, err: '' })
  expect(await fileOfLastPacket()).toMatchObject({ name: 'logo.png', sha256: SHA256 })
})

describe('cacpd file get', () => {
  beforeAll(() => cacpd(['file', 'share', 'logo.png', '--project-id', projectId], { cwd }))

  test('saves a file', async () => {
    const { exitCode, out } = await cacpd(['file', 'get', SHA256, '-o', 'copy.png', '--json'], { cwd })
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toEqual({ sha256: SHA256, size: BYTES.length, savedTo: join(cwd, 'copy.png') })
    expect(await readFile(join(cwd, 'copy.png'))).toEqual(BYTES)
  })

  test('prints its bytes where no path is given', async () => {
    const printed: (string | Uint8Array)[] = []
    const { exitCode } = await cacpd(['file', 'get', SHA256], {
      cwd,
      print: (output) => printed.push(output),
    })
    expect(exitCode).toBe(0)
    expect(printed).toEqual([BYTES])
  })

  test('tells what nobody has, and leaves nothing behind', async () => {
    expect(await cacpd(['file', 'get', '0'.repeat(64), '-o', 'gone'], { cwd })).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('error: No such file here\n'),
    })
    expect(await cacpd(['file', 'get', SHA256, '-o', 'no/folder'], { cwd })).toMatchObject({
      exitCode: 1,
      err: `error: ${join(cwd, 'no/folder')} cannot be written (ENOENT)\n`,
    })
    expect((await readdir(cwd)).filter((name) => name.includes('gone') || name.includes('.part'))).toEqual([])
  })

  test.each([
    [['../peers'], 'sha256: must be the SHA-256 of a file, in lower-case hex'],
    [[SHA256, '-o', ''], '--output: must not be empty'],
  ])('%j is wrong usage', async (words, message) => {
    expect(await cacpd(['file', 'get', ...words], { cwd })).toEqual({
      exitCode: 2,
      out: '',
      err: `error: ${message}\n`,
    })
  })

  test('is in the help of its group', async () => {
    expect((await cacpd(['file', '--help'])).out).toMatch(/get \[options\] <sha256> +Get a shared file/)
  })
})
