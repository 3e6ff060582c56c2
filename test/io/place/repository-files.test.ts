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

const hash = async (...paths: string[]) => createRepositoryFiles(root).hash(paths)

test('a file below the root has the hash of its content, in the order in which it is asked for', async () => {
  await writeFile(join(root, 'README.md'), 'two')
  expect(await hash('README.md', 'src/user.py')).toEqual([sha256('two'), sha256('one')])
})

describe('there is no such file', () => {
  test.each([
    '',
    '/etc/hostname',
    '../outside',
    'src/../../outside',
    'src',
    'nowhere',
    'src/user.py/more',
    'a\0b',
  ])('as %j', async (path) => {
    await writeFile(join(root, '..', 'outside'), 'secret').catch(() => {})
    expect(await hash(path)).toEqual([null])
    await rm(join(root, '..', 'outside'), { force: true })
  })

  test('behind a link, of the file itself or of a folder above it', async () => {
    await symlink(join(root, 'src/user.py'), join(root, 'link.py'))
    await symlink(join(root, 'src'), join(root, 'linked'))
    expect(await hash('link.py', 'linked/user.py')).toEqual([null, null])
  })

  test('that is a pipe, and nobody is waited for', async () => {
    await promisify(execFile)('mkfifo', [join(root, 'pipe')])
    expect(await hash('pipe')).toEqual([null])
  })

  test('that is too large', async () => {
    await writeFile(join(root, 'huge'), '')
    await truncate(join(root, 'huge'), 65 * 1024 * 1024)
    expect(await hash('huge')).toEqual([null])
  })

  test('where the root itself is gone', async () => {
    await rm(root, { recursive: true })
    expect(await hash('src/user.py')).toEqual([null])
  })
})

test('a file that changed is read again, also when its size and time are those of before', async () => {
  const files = createRepositoryFiles(root)
  const path = join(root, 'src/user.py')
  const old = new Date(Date.now() - 60_000)
  await utimes(path, old, old)
  expect(await files.hash(['src/user.py'])).toEqual([sha256('one')])
  await writeFile(join(root, 'other'), 'two')
  await utimes(join(root, 'other'), old, old)
  await rename(join(root, 'other'), path)
  expect(await files.hash(['src/user.py'])).toEqual([sha256('two')])
})

test('a thousand files that come and go meanwhile end in an answer', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `src/${index}`)
  await Promise.all(names.map((name) => writeFile(join(root, name), name)))
  const asked = hash(...names)
  await Promise.all(names.slice(0, 500).map((name) => rm(join(root, name))))
  const hashes = await asked
  expect(hashes).toHaveLength(1000)
  expect(hashes.slice(500)).toEqual(names.slice(500).map((name) => sha256(name)))
})
