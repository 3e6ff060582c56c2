import { mkdir, writeFile } from 'node:fs/promises'
import { openPictureStage } from '../test/support/pictures/picture-stage.ts'
import { renderPictures } from '../test/support/pictures/render.ts'

/** Writes the pictures of the pages: the dashboard as it is after `cacpd demo --keep`. */

const FOLDER = new URL('./pictures/', import.meta.url)

await using stage = await openPictureStage()
await mkdir(FOLDER, { recursive: true })
for (const [name, png] of await renderPictures(stage)) {
  await writeFile(new URL(name, FOLDER), png)
  process.stdout.write(`docs/pictures/${name}: ${Math.round(png.length / 1000)} kB\n`)
}
