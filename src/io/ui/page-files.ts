import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Page, PageFile } from '../../engine/ports/ui-ports.ts'
import { ifThere } from '../system/code.ts'

/** Files of other types are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const HASHED_NAME = /-[A-Za-z0-9]{8,}\.\w+$/

/** The build of the page is named after its program. */
const PROGRAM = /\/ui\/assets\/app-([^/"]+)\.js"/

/**
 * Reads the page that people see, with all its files: whatever else is in the folder later is not served. The addresses
 * in its document begin with the path at which a proxy shows this daemon. Undefined where the page was not built.
 */
export async function readPage(folder: string, basePath: string): Promise<Page | undefined> {
  const template = await ifThere(readFile(join(folder, 'index.html'), 'utf8'))
  if (template === undefined) return undefined
  const text = template.replaceAll(/\b(src|href)="\/ui\//g, `$1="${basePath}/ui/`)
  const assets = new Map<string, PageFile>()
  for (const name of await readdir(join(folder, 'assets'))) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const bytes = await readFile(join(folder, 'assets', name))
    assets.set(name, pageFile(bytes, { type, isHashed: HASHED_NAME.test(name) }))
  }
  const document = pageFile(Buffer.from(text), { type: TYPES['.html'] ?? '', isHashed: false })
  return { document, assets, build: PROGRAM.exec(template)?.[1] ?? '' }
}

const compress = promisify(gzip)

function pageFile(bytes: Buffer, about: Pick<PageFile, 'type' | 'isHashed'>): PageFile {
  const hash = createHash('sha256').update(bytes).digest('base64url')
  let gzipped: Promise<Uint8Array> | undefined
  return {
    ...about,
    bytes,
    gzipped: () => (gzipped ??= compress(bytes, { level: constants.Z_BEST_COMPRESSION })),
    // Weak, because the compressed form has the same.
    etag: `W/"${hash}"`,
  }
}
