import { expect, test } from 'vitest'
import { placeOf } from '../../../src/io/background/place.ts'
import { folderWith } from '../../support/folders/folder.ts'

const FILES = {
  'around/.cacp/IDENT': '',
  'around/api/.git/': '',
  'around/api/src/': '',
  'around/web/.git/': '',
  'around/web/data/IDENT': '',
  'around/web/src/': '',
  'around/notes/': '',
  'plain/': '',
}

test.each([
  { from: 'around/api/src', dataDir: 'around/api/.cacp', cwd: 'around/api', above: 'around/.cacp' },
  { from: 'around/web/src', dataDir: 'around/web/data', cwd: 'around/web' },
  { from: 'around/notes', dataDir: 'around/.cacp', cwd: 'around' },
  { from: 'plain', dataDir: 'plain/.cacp', cwd: 'plain' },
  { from: 'around/api', named: '../elsewhere', dataDir: 'around/elsewhere', cwd: 'around/api' },
])('from $from the daemon is that of $dataDir', async ({ from, named, dataDir, cwd, above }) => {
  await using folder = await folderWith(FILES)
  const expected = { dataDir: folder.at(dataDir), cwd: folder.at(cwd) }
  const whole = above === undefined ? expected : { ...expected, above: folder.at(above) }
  expect(await placeOf({ cwd: folder.at(from), env: {}, dataDir: named })).toEqual(whole)
  if (named !== undefined)
    expect(await placeOf({ cwd: folder.at(from), env: { CACP_DATA: named } })).toEqual(whole)
})
