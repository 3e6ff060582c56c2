import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRepositoryFiles } from '../../../src/io/place/repository-files.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cacpd-files-'))
  await mkdir(join(root, 'src'))
  await writeFile(join(root, 'src/user.py'), 'one')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const look = async (...paths: string[]) => createRepositoryFiles(root).look(paths)
const contents = (...texts: string[]) => texts.map((text) => ({ sha256: sha256(text) }))

test('a file below the root has the hash of its content, in the order in which it is asked for', async () => {
  await writeFile(join(root, 'README.md'), 'two')
  expect(await look('README.md', 'src/user.py')).toEqual(contents('two', 'one'))
})

describe('counts as not there, with why:', () => {
  test.each([
    ['', 'special'],
    ['/etc/hostname', 'absolute'],
    ['../outside', 'outside'],
    ['..', 'outside'],
    ['src/../../outside', 'outside'],
    ['src', 'special'],
    ['nowhere', 'missing'],
    ['src/user.py/more', 'missing'],
    ['a\0b', 'missing'],
    ['long'.repeat(100), 'unreadable'],
  ])('%j, which is %s', async (path, why) => {
    await writeFile(join(root, '..', 'outside'), 'secret').catch(() => {})
    expect(await look(path)).toEqual([{ ignored: why }])
    await rm(join(root, '..', 'outside'), { force: true })
  })

  test('what is behind a link, of the file itself or of a folder above it', async () => {
    await symlink(join(root, 'src/user.py'), join(root, 'link.py'))
    await symlink(join(root, 'src'), join(root, 'linked'))
    expect(await look('link.py', 'linked/user.py')).toEqual([{ ignored: 'link' }, { ignored: 'link' }])
  })

  test('a pipe, and nobody is waited for', async () => {
    await promisify(execFile)('mkfifo', [join(root, 'pipe')])
    expect(await look('pipe')).toEqual([{ ignored: 'special' }])
  })

  test('what is too large', async () => {
    await writeFile(join(root, 'huge'), '')
    await truncate(join(root, 'huge'), 65 * 1024 * 1024)
    expect(await look('huge')).toEqual([{ ignored: 'large' }])
  })

  test('everything where the root itself is gone', async () => {
    await rm(root, { recursive: true })
    expect(await look('src/user.py')).toEqual([{ ignored: 'missing' }])
  })
})

test('a file that changed is read again, also when its size and time are those of before', async () => {
  const files = createRepositoryFiles(root)
  const path = join(root, 'src/user.py')
  const old = new Date(Date.now() - 60_000)
  await utimes(path, old, old)
  expect(await files.look(['src/user.py'])).toMatchObject(contents('one'))
  await writeFile(join(root, 'other'), 'two')
  await utimes(join(root, 'other'), old, old)
  await rename(join(root, 'other'), path)
  expect(await files.look(['src/user.py'])).toMatchObject(contents('two'))
})

test('a thousand files that come and go meanwhile end in an answer', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `src/${index}`)
  await Promise.all(names.map((name) => writeFile(join(root, name), name)))
  const asked = look(...names)
  await Promise.all(names.slice(0, 500).map((name) => rm(join(root, name))))
  const hashes = await asked
  expect(hashes).toHaveLength(1000)
  expect(hashes.slice(500)).toEqual(contents(...names.slice(500)))
})
