import { readdir, readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { browserTest } from '../../support/browser/browser-test.ts'
import { disposedAfter } from '../../support/browser/closed-after.ts'
import { openPictureStage } from '../../support/pictures/picture-stage.ts'
import { shareOfDifferent } from '../../support/pictures/png.ts'
import { renderPictures, SCENES } from '../../support/pictures/render.ts'

const FOLDER = new URL('../../../docs/pictures/', import.meta.url)
/** What another version of the browser may draw otherwise. */
const MOST_DIFFERENT = 0.001
/** Each is loaded by everybody who looks at the README. */
const MOST_BYTES = 150_000

const story = browserTest.extend('stage', { scope: 'file' }, disposedAfter(openPictureStage))

story('the pictures of the pages show the dashboard as it is; else `npm run pictures`', async ({ stage }) => {
  const pictures = await renderPictures(stage)
  expect(await readdir(FOLDER)).toEqual([...pictures.keys()].sort())
  for (const [name, rendered] of pictures) {
    const kept = await readFile(new URL(name, FOLDER))
    expect(shareOfDifferent(kept, rendered), name).toBeLessThan(MOST_DIFFERENT)
    expect(kept.length, name).toBeLessThan(MOST_BYTES)
  }
})

story('a list that moved by some pixels is another picture', async ({ stage }) => {
  const [scene] = SCENES
  if (scene === undefined) throw new Error('no scene')
  const moved = {
    name: scene.name,
    open: async (...args: Parameters<typeof scene.open>) => {
      await scene.open(...args)
      await args[0].addStyleTag({ content: '.inbox-list { margin-top: 6px }' })
    },
  }
  for (const [name, rendered] of await renderPictures(stage, [moved]))
    expect(shareOfDifferent(await readFile(new URL(name, FOLDER)), rendered)).toBeGreaterThan(MOST_DIFFERENT)
})
