import { mkdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { treeDigest } from '../../src/domain/proof/own-tree.ts'
import { createRepositoryFiles } from '../../src/io/place/repository-files.ts'
import type { Bench } from '../bench.ts'
import { type Figure, figure } from '../figure.ts'
import { median } from '../rounds.ts'

const FILES = 10_000
const FOLDERS = 100
/** A file that was written a moment ago is read again. */
const LONG_AGO = new Date('2026-01-01T00:00:00Z')

/** The digest over the declared files of a repository, when nothing has changed since the last one. */
export async function tree({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin(`digest of ${FILES} files`)
  const root = workshop.folder()
  const paths: string[] = []
  for (let folder = 0; folder < FOLDERS; folder++) {
    await mkdir(join(root, `src/${folder}`), { recursive: true })
    for (let index = 0; index < FILES / FOLDERS; index++) {
      const path = `src/${folder}/${index}.ts`
      await writeFile(join(root, path), `export const number = ${folder * 1000 + index}\n`.repeat(40))
      await utimes(join(root, path), LONG_AGO, LONG_AGO)
      paths.push(path)
    }
  }
  const files = createRepositoryFiles(root)
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const digest = async () => treeDigest(paths, await files.look(paths))
  const first = await timed(digest)
  const [again, stats]: [number[], number[]] = [[], []]
  for (let round = 0; round < Math.ceil(9 / brevity); round++) {
    again.push(await timed(digest))
    stats.push(await timed(() => Promise.all(paths.map((path) => stat(join(root, path))))))
  }
  return [
    figure({
      name: `digest of ${FILES} unchanged files`,
      unit: 'ms',
      ours: median(again),
      comparedWith: { name: 'a stat of each', value: median(stats) },
      ratio: median(again) / median(stats),
      goal: { of: 'ours', most: 300 },
      notes: [`the first time, when all are read, it took ${Math.round(first)} ms`],
    }),
  ]
}
