import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Metafile } from 'esbuild'

const HERE = import.meta.dirname
const OUT = join(HERE, '..', '..', 'dist', 'ui')
const ICONS = ['icon.svg', 'icon-waiting.svg']

const OPTIONS = {
  entryPoints: [
    { in: join(HERE, 'main.tsx'), out: 'app' },
    { in: join(HERE, 'style', 'main.css'), out: 'app' },
  ],
  bundle: true,
  minify: true,
  format: 'esm',
  charset: 'utf8',
  target: 'es2022',
  // Calls of h(type, props, child, child) are a tenth shorter than those with children among the props.
  jsx: 'transform',
  jsxFactory: 'h',
  jsxFragment: 'Fragment',
  inject: [join(HERE, 'jsx-factory.ts')],
  // Every name of a file says what is in it, so that it can be kept for ever.
  entryNames: 'assets/[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  write: false,
} as const satisfies BuildOptions

/** The page as files of `dist/ui`, and which sources it was made from. */
export async function buildPage(
  outdir = OUT,
): Promise<{ files: Map<string, Uint8Array>; metafile: Metafile }> {
  const { outputFiles, metafile } = await build({ ...OPTIONS, outdir })
  const files = new Map(outputFiles.map(({ path, contents }) => [path.slice(outdir.length + 1), contents]))
  for (const icon of ICONS) files.set(`assets/${icon}`, await readFile(join(HERE, icon)))
  files.set('index.html', new TextEncoder().encode(documentOf([...files.keys()])))
  return { files, metafile }
}

/** Nothing is written into it while it is served but the path before `/ui/`. */
function documentOf(assets: readonly string[]): string {
  const asset = (ending: string) => assets.find((name) => name.endsWith(ending)) ?? ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>cacpd</title>
<link rel="icon" type="image/svg+xml" href="/ui/assets/icon.svg">
<link rel="stylesheet" href="/ui/${asset('.css')}">
<script type="module" src="/ui/${asset('.js')}"></script>
</head>
<body>
<div id="app"></div>
<noscript>This page is a program: allow JavaScript for it, or use the command line, <code>cacpd inbox</code>.</noscript>
</body>
</html>
`
}

async function writePage(): Promise<void> {
  const { files } = await buildPage()
  await rm(OUT, { recursive: true, force: true })
  await mkdir(join(OUT, 'assets'), { recursive: true })
  for (const [name, contents] of files) await writeFile(join(OUT, name), contents)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await writePage()
