import type { Disk } from './disk.ts'

/** The whole text of a small file. */
export async function readText(disk: Disk, path: string): Promise<string> {
  const slices: Uint8Array[] = []
  for await (const slice of disk.read(path)) slices.push(slice)
  return Buffer.concat(slices).toString('utf8')
}
