import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assertStoreNotLost, rememberStore } from '../../../src/io/place/remembered-store.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'

const AGENT = 'aid://laptop/backend@1.0.0'
const OTHER_AGENT = 'aid://laptop/mobile@1.0.0'
const NEW = { isNew: true }
const AS_EVER = { isNew: false }

let folder: Folder

/** The repository `backend`, whose daemon ran with a store in its `.cacp`, and another folder beside it. */
beforeEach(async () => {
  folder = await folderWith({
    'backend/.git/HEAD': 'ref: refs/heads/main\n',
    'elsewhere/': '',
  })
  await layOut('backend/.cacp', 'store-1')
  await rememberStore(starting('backend/.cacp'), AS_EVER)
})

afterEach(() => folder[Symbol.asyncDispose]())

async function layOut(name: string, storeId: string): Promise<void> {
  await mkdir(folder.at(name), { recursive: true })
  await writeFile(join(folder.at(name), 'IDENT'), JSON.stringify({ format: 2, store_id: storeId }))
}

const starting = (dataDir: string, { root = 'backend', agentId = AGENT } = {}) => ({
  root: folder.at(root),
  dataDir: folder.at(dataDir),
  agentId,
})
const refusalOf = (place: ReturnType<typeof starting>) =>
  assertStoreNotLost(place).then(
    () => undefined,
    ({ message, next }) => ({ message, next }),
  )
const move = async (from: string, to: string) => {
  await mkdir(dirname(folder.at(to)), { recursive: true })
  await rename(folder.at(from), folder.at(to))
}

describe('a repository whose data directory was taken away', () => {
  beforeEach(() => move('backend/.cacp', 'elsewhere/kept'))

  test('is told what was where, and both ways to go on', async () => {
    expect(await refusalOf(starting('backend/.cacp'))).toEqual({
      message: `The data of the daemon of this repository (${AGENT}) was in ${folder.at('backend/.cacp')} and is not there any more: it was moved or removed`,
      next: 'If it was moved, put it back, or name its new place with --data DIR; if it is gone for good, start with --new-data: that begins with nothing, and its peers have to be paired anew',
    })
  })

  test('is told so too where an empty directory took its place', async () => {
    await mkdir(folder.at('backend/.cacp'))
    expect((await refusalOf(starting('backend/.cacp')))?.message).toContain('is not there any more')
  })

  test('is told so where another place is named that holds nothing, unless that is for another agent', async () => {
    expect((await refusalOf(starting('elsewhere/kpet')))?.message).toContain(
      `is not there any more, and ${folder.at('elsewhere/kpet')} holds none`,
    )
    expect(await refusalOf(starting('elsewhere/mobile', { agentId: OTHER_AGENT }))).toBeUndefined()
  })

  test('is told that another store took its place', async () => {
    await layOut('backend/.cacp', 'store-2')
    expect(await refusalOf(starting('backend/.cacp'))).toEqual({
      message: `${folder.at('backend/.cacp')} holds another store than the one that the daemon of this repository (${AGENT}) had there`,
      next: 'If that one was moved, put it back, or name its new place with --data DIR; to go on with the one that is there now, start with --new-data',
    })
  })

  test('goes on where its new place is named, and is sent there when nothing is named', async () => {
    expect(await refusalOf(starting('elsewhere/kept'))).toBeUndefined()
    await rememberStore(starting('elsewhere/kept'), AS_EVER)
    expect(await refusalOf(starting('backend/.cacp'))).toEqual({
      message: `The data of the daemon of this repository (${AGENT}) is in ${folder.at('elsewhere/kept')}, and not in ${folder.at('backend/.cacp')}`,
      next: `Name it with --data ${folder.at('elsewhere/kept')} or CACP_DATA; to begin with nothing in ${folder.at('backend/.cacp')}, start with --new-data`,
    })
    await move('elsewhere/kept', 'backend/.cacp')
    expect(await refusalOf(starting('backend/.cacp'))).toBeUndefined()
  })

  test('goes on with a new one when that was said once', async () => {
    await layOut('backend/.cacp', 'store-2')
    await rememberStore(starting('backend/.cacp'), NEW)
    expect(await refusalOf(starting('backend/.cacp'))).toBeUndefined()
    await rm(folder.at('backend/.cacp'), { recursive: true })
    expect((await refusalOf(starting('backend/.cacp')))?.message).toContain('is not there any more')
  })

  test('forgets the one before also when the new one is kept outside of it', async () => {
    await layOut('elsewhere/new', 'store-2')
    await rememberStore(starting('elsewhere/new'), NEW)
    expect(await refusalOf(starting('backend/.cacp'))).toBeUndefined()
  })
})

describe('nobody is refused', () => {
  test('whose repository was moved as a whole', async () => {
    await move('backend', 'elsewhere/renamed')
    const there = { root: 'elsewhere/renamed' }
    expect(await refusalOf(starting('elsewhere/renamed/.cacp', there))).toBeUndefined()
    await rm(folder.at('elsewhere/renamed/.cacp'), { recursive: true })
    expect((await refusalOf(starting('elsewhere/renamed/.cacp', there)))?.message).toContain(
      `was in ${folder.at('elsewhere/renamed/.cacp')}`,
    )
  })

  test('in a second worktree, which has data of its own', async () => {
    const git = folder.at('backend/.git/worktrees/second')
    await mkdir(git, { recursive: true })
    await writeFile(join(git, 'HEAD'), 'ref: refs/heads/second\n')
    await writeFile(join(git, 'commondir'), '../..\n')
    await mkdir(folder.at('second'))
    await writeFile(folder.at('second/.git'), `gitdir: ${git}\n`)
    expect(await refusalOf(starting('second/.cacp', { root: 'second' }))).toBeUndefined()
    await layOut('second/.cacp', 'store-2')
    await rememberStore(starting('second/.cacp', { root: 'second' }), AS_EVER)
    await rm(folder.at('second/.cacp'), { recursive: true })
    expect(await refusalOf(starting('second/.cacp', { root: 'second' }))).toBeDefined()
    expect(await refusalOf(starting('backend/.cacp'))).toBeUndefined()
  })

  test('who names the place of a second daemon beside the one of the repository, which stays that', async () => {
    expect(await refusalOf(starting('elsewhere/second'))).toBeUndefined()
    await layOut('elsewhere/second', 'store-2')
    await rememberStore(starting('elsewhere/second'), AS_EVER)
    expect(await refusalOf(starting('elsewhere/second'))).toBeUndefined()
    await rm(folder.at('elsewhere/second'), { recursive: true })
    expect(await refusalOf(starting('elsewhere/second'))).toBeUndefined()
    await rm(folder.at('backend/.cacp'), { recursive: true })
    expect(await refusalOf(starting('backend/.cacp'))).toBeDefined()
  })

  test('by a copy of the data: the first one stays the one of the repository', async () => {
    await layOut('elsewhere/copy', 'store-1')
    await rememberStore(starting('elsewhere/copy'), AS_EVER)
    expect(await refusalOf(starting('backend/.cacp'))).toBeUndefined()
    await rm(folder.at('elsewhere/copy'), { recursive: true })
    expect(await refusalOf(starting('backend/.cacp'))).toBeUndefined()
  })

  test('where a store cannot be read, which says for itself what is wrong', async () => {
    await writeFile(folder.at('backend/.cacp/IDENT'), 'damaged')
    expect(await refusalOf(starting('backend/.cacp'))).toBeUndefined()
  })

  test('outside of a git repository, where nothing is remembered', async () => {
    await layOut('elsewhere/.cacp', 'store-2')
    await rememberStore(starting('elsewhere/.cacp', { root: 'elsewhere' }), AS_EVER)
    await rm(folder.at('elsewhere/.cacp'), { recursive: true })
    expect(await refusalOf(starting('elsewhere/.cacp', { root: 'elsewhere' }))).toBeUndefined()
  })
})

describe('what is remembered', () => {
  test('lies in git’s own folder, for its owner alone', async () => {
    const path = folder.at('backend/.git/cacpd.json')
    const kept = { dataDir: '.cacp', storeId: 'store-1', agentId: AGENT }
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(kept)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('has the agent ID that the daemon was started with last', async () => {
    await rememberStore(starting('backend/.cacp', { agentId: OTHER_AGENT }), AS_EVER)
    await rm(folder.at('backend/.cacp'), { recursive: true })
    expect((await refusalOf(starting('backend/.cacp')))?.message).toContain(OTHER_AGENT)
  })

  test('is put nowhere else, whatever a file that came with the repository says', async () => {
    await mkdir(folder.at('hostile'))
    await writeFile(folder.at('hostile/.git'), `gitdir: ${folder.at('elsewhere')}\n`)
    await layOut('hostile/.cacp', 'store-2')
    await rememberStore(starting('hostile/.cacp', { root: 'hostile' }), AS_EVER)
    expect(await readdir(folder.at('elsewhere'))).toEqual([])
  })

  test.each(['', '[]', '{"dataDir":1}'])('counts for nothing when it is %j', async (text) => {
    await writeFile(folder.at('backend/.git/cacpd.json'), text)
    await rm(folder.at('backend/.cacp'), { recursive: true })
    expect(await refusalOf(starting('backend/.cacp'))).toBeUndefined()
  })
})
