import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractChange, projectChange } from '../../../src/domain/change.ts'
import { openStore } from '../../../src/io/store/open-store.ts'
import { StoreLockedError } from '../../../src/io/store/store-errors.ts'
import { contract, project, stoppedClock } from './entities.ts'
import { close, contentOf, keep } from './opened.ts'

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
  expect((await readdir(directory)).sort()).toEqual([
    '.gitignore',
    'IDENT',
    'files',
    'journal.1',
    'lock',
    'state.json',
  ])
  expect(await readFile(join(directory, '.gitignore'), 'utf8')).toBe('*\n')
  for (const name of ['.', 'files']) expect(await modeOf(join(directory, name))).toBe('700')
  for (const name of ['.gitignore', 'IDENT', 'journal.1', 'lock', 'state.json', `files/${sha256}`]) {
    expect(await modeOf(join(directory, name))).toBe('600')
  }
  await close(store)
  expect(await readdir(directory)).not.toContain('lock')
})

test('a store that is open cannot be opened again', async () => {
  const { store } = await open()
  await expect(open()).rejects.toThrow(StoreLockedError)
  await close(store)
  await close((await open()).store)
})

test('twenty thousand entities come back equal, from the journal and from the snapshot', async () => {
  const { store } = await open({ compactBytes: 4_000_000 })
  await keep(store, projectChange(project('p')))
  const write = (number: number) =>
    keep(store, contractChange('p', contract(`c${number}`, { second: number % 977 })))
  await Promise.all(Array.from({ length: 20_000 }, (_, number) => write(number)))
  const shown = JSON.stringify(contentOf(store.view))
  const health = store.health()
  await close(store)
  expect(await modeOf(join(directory, 'state.json'))).toBe('600')

  const { store: again } = await open()
  expect(JSON.stringify(contentOf(again.view)) === shown).toBe(true)
  expect(again.health()).toEqual(health)
  await close(again)
})
