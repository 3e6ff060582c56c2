import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nodeDisk } from '../../../src/io/store/directory/node-disk.ts'
import { openStore } from '../../../src/io/store/open-store.ts'
import { StoreLockedError } from '../../../src/io/store/store-errors.ts'
import { canonicalText } from '../../../src/protocol/json/canonical.ts'
import { stoppedClock, TestProject } from './entities.ts'
import { close, contentOf, keep } from './opened.ts'

const p = new TestProject('p')

/** On the real disk. */
let parent: string
let directory: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'cacpd-store-'))
  directory = join(parent, 'new', '.cacp')
})

afterEach(() => rm(parent, { recursive: true }))

const open = (options = {}) => openStore({ directory, clock: stoppedClock(), ...options })
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test('a first start lays out a private directory that git ignores', async () => {
  const { store, files } = await open()
  const { sha256 } = await files.put(
    (async function* () {
      yield Buffer.from('x')
    })(),
    10,
  )
  const names = await readdir(directory)
  const socket = names.find((name) => name.endsWith('.sock'))
  expect(names.filter((name) => name !== socket).sort()).toEqual([
    '.gitignore',
    'IDENT',
    'files',
    'journal.1',
    'lock',
    'reserve',
    'state.json',
  ])
  expect(await readFile(join(directory, '.gitignore'), 'utf8')).toBe('*\n')
  for (const name of ['.', 'files']) expect(await modeOf(join(directory, name))).toBe('700')
  for (const name of [
    '.gitignore',
    'IDENT',
    'journal.1',
    'lock',
    'reserve',
    'state.json',
    `files/${sha256}`,
  ]) {
    expect(await modeOf(join(directory, name))).toBe('600')
  }
  if (process.platform === 'linux') expect(await modeOf(join(directory, socket ?? ''))).toBe('600')
  await close(store)
  expect((await readdir(directory)).filter((name) => name.startsWith('lock'))).toEqual([])
})

test('an existing directory that others can look into is closed to them', async () => {
  await mkdir(directory, { recursive: true })
  await chmod(directory, 0o755)
  await writeFile(join(directory, 'config.json'), '{}')
  await close((await open()).store)
  expect(await modeOf(directory)).toBe('700')
  await chmod(directory, 0o750)
  await close((await open()).store)
  expect(await modeOf(directory)).toBe('700')
})

test('a directory that is everybody’s by intent stays so', async () => {
  await mkdir(directory, { recursive: true })
  await chmod(directory, 0o1777)
  await close((await open()).store)
  expect(await modeOf(directory)).toBe('777')
})

test('a directory in which other things lie too is not ours to close', async () => {
  await close((await open()).store)
  await mkdir(join(directory, 'src'))
  await chmod(directory, 0o755)
  await close((await open()).store)
  expect(await modeOf(directory)).toBe('755')
})

const failing = (code: string, path: string) => async () => {
  throw Object.assign(new Error(`${code}: ${path}`), { code, path })
}

test.each([
  ['ENOSPC', /^The disk of the data directory \S+\.cacp is full$/, /Free some space/],
  ['EROFS', /^The data directory \S+\.cacp is on a disk that can only be read$/, /writable/],
  ['EACCES', /^This user may not read and write the data directory \S+\.cacp$/, /owner or mode/],
  ['EIO', /^The data directory \S+\.cacp cannot be used \(EIO\)$/, /Check the path/],
])('%s at the first start is said in words, and nothing is left behind', async (code, message, next) => {
  for (const operation of ['lock', 'create', 'syncDirectory'] as const) {
    const path = join(directory, operation === 'lock' ? 'lock.x.tmp' : '')
    const disk = { ...nodeDisk, [operation]: failing(code, path) }
    const failure = await open({ disk }).catch((error) => error)
    expect(failure).toMatchObject({ name: 'DataDirError', next: expect.stringMatching(/--data/) })
    expect(failure.message).toMatch(message)
    expect(failure.next).toMatch(next)
    expect(await readdir(parent)).toEqual([])
  }
})

test('a data directory that is a file, lies below one, or cannot be made is named with what to do', async () => {
  const file = join(parent, 'file')
  await writeFile(file, 'mine')
  for (const path of [file, join(file, 'below')]) {
    await expect(open({ directory: path })).rejects.toMatchObject({
      name: 'DataDirError',
      message: `The data directory ${path} is a file, or lies below one`,
      next: expect.stringMatching(/--data/),
    })
  }
  expect(await readFile(file, 'utf8')).toBe('mine')
  await expect(
    open({ disk: { ...nodeDisk, makeDirectory: failing('ENOENT', directory) } }),
  ).rejects.toMatchObject({ message: expect.stringMatching(/what it should lie in does not exist/) })
})

test('one file that cannot be used is named itself', async () => {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'files'), 'in the way')
  await expect(open()).rejects.toMatchObject({
    name: 'DataDirError',
    message: `${join(directory, 'files')} cannot be read or written (EEXIST)`,
  })
  expect(await readdir(directory)).toEqual(['files'])
})

test('a store that is open cannot be opened again', async () => {
  const { store } = await open()
  await expect(open()).rejects.toThrow(StoreLockedError)
  await close(store)
  await close((await open()).store)
})

test('twenty thousand statements come back equal, from the journal and from the snapshot', async () => {
  const { store } = await open({ compactBytes: 4_000_000 })
  await keep(store, ...p.opening)
  const write = (number: number) => keep(store, p.contract(`c${number}`, { second: number % 977 }))
  await Promise.all(Array.from({ length: 20_000 }, (_, number) => write(number)))
  const shown = canonicalText(contentOf(store.view))
  const { seq, statements } = store.health()
  await close(store)
  expect(await modeOf(join(directory, 'state.json'))).toBe('600')

  const { store: again } = await open()
  expect(canonicalText(contentOf(again.view)) === shown).toBe(true)
  expect(again.health()).toMatchObject({ status: 'healthy', seq, statements })
  await close(again)
}, 60_000)
