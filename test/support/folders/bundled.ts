import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buildSync } from 'esbuild'

/** Inside the package, so that the script finds what it imports from others. */
const CACHE = new URL('../../../node_modules/.cache/scripts/', import.meta.url).pathname

export interface Bundled extends AsyncDisposable {
  readonly path: string
}

/** A script in TypeScript as one file that node runs by itself: to load it through tsx takes a second more each time. */
export async function bundled(script: URL): Promise<Bundled> {
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, 'script-'))
  const path = join(folder, basename(script.pathname).replace(/\.ts$/, '.mjs'))
  buildSync({
    entryPoints: [script.pathname],
    outfile: path,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    packages: 'external',
    logLevel: 'warning',
  })
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
