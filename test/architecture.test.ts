// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is only looked at

import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeOf, sourceFiles as files, sourceOf as textOf } from './support/folders/source-code.ts'

/** What each room of the tree may import: its own files, and these. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: [],
  domain: ['protocol'],
  methods: ['protocol', 'domain'],
  dialects: ['protocol'],
  setup: ['protocol', 'domain'],
  describe: ['protocol', 'domain', 'methods'],
  engine: ['protocol', 'domain', 'methods'],
  io: ['protocol', 'domain', 'setup', 'engine/ports', 'launcher.ts'],
  mcp: ['protocol', 'domain', 'methods', 'version.ts'],
  http: ['protocol', 'domain', 'methods', 'dialects', 'describe', 'engine', 'mcp'],
  config: ['protocol', 'io'],
  exchange: ['protocol', 'domain', 'engine', 'io', 'http', 'config', 'version.ts'],
  daemon: [
    'protocol',
    'domain',
    'methods',
    'describe',
    'engine',
    'io',
    'http',
    'config',
    'page-folder.ts',
    'version.ts',
  ],
  cli: [
    'protocol',
    'domain',
    'methods',
    'describe',
    'setup',
    'io',
    'mcp',
    'exchange',
    'config',
    'daemon',
    'client.ts',
    'launcher.ts',
    'version.ts',
  ],
  // In the browser: types of the rows, and values of what reaches no package (test/ui/bundle.test.ts).
  ui: ['protocol', 'domain', 'methods'],
  'client.ts': ['protocol', 'methods', 'io'],
  'version.ts': [],
  'launcher.ts': [],
  'page-folder.ts': [],
}
/** Who may import from an inner room beside the files in it. */
const DOORS: Record<string, readonly string[]> = {
  // Peers that know the document only are one adapter, chosen where a link is made.
  'domain/plain': [
    'domain/peers/peers.ts',
    'engine/replicate/plain',
    'engine/replicate/link/create-exchange.ts',
    'engine/replicate/link/lacking.ts',
    'methods/peers/sync.ts',
  ],
  'engine/replicate/plain': ['engine/replicate/link/create-exchange.ts'],
  // The engine is put together in one place, for the daemon alone.
  'engine/compose.ts': ['daemon'],
}
/** Waits and order are its matter, the world is not: time, chance and the system come through its ports. */
const BEHIND_PORTS = new Set(['engine'])
const PURE = new Set(['protocol', 'domain', 'methods', 'dialects', 'describe', 'setup'])
/** Packages that a pure room may use: none of them has effects. */
const PURE_PACKAGES = new Set(['zod', 'canonicalize', 'jsonc-parser', 'smol-toml'])
/** A hash depends on nothing but what is hashed; the rest of that module is kept out by there being one such file. */
const HASHING: Import = { from: 'protocol/text/sha256.ts', to: 'node:crypto' }
/** `new Date` with an argument reads no clock. */
const IMPURE_WORDS =
  /\b(?:Date\.now|Math\.random|performance|process|setTimeout|setInterval|async|await|randomUUID|new Date\b(?!\s*\(\s*[^)\s]))\b/

interface Import {
  from: string
  to: string
}

function importsIn(text: string, file: string): Import[] {
  // Behind a quote the word is text, such as the name of a field.
  const found = text.matchAll(/(?<!')\b(?:from|import|import\()\s*'([^']+)'/g)
  return [...found].map(([, to = '']) => ({ from: file, to }))
}

const isImpure = (text: string): boolean => IMPURE_WORDS.test(codeOf(text))

const WORDS_OF_THE_WORLD =
  /\b(?:Date\.now|Math\.random|performance\.now|process\.|setTimeout|setInterval|setImmediate|randomUUID|new Date\b(?!\s*\(\s*[^)\s]))/

const isPastPorts = (text: string): boolean => WORDS_OF_THE_WORLD.test(codeOf(text))

const roomOf = (file: string): string => file.split('/')[0] ?? file

/** The import that breaks the rule, or undefined. */
function violation({ from, to }: Import): string | undefined {
  const room = roomOf(from)
  const told = `${from} imports ${to}`
  if (!to.startsWith('.')) {
    const name = to.startsWith('@') ? to.split('/').slice(0, 2).join('/') : (to.split('/')[0] ?? to)
    const isHashing = from === HASHING.from && to === HASHING.to
    const isForbidden = PURE.has(room)
      ? !PURE_PACKAGES.has(name)
      : BEHIND_PORTS.has(room) && to.startsWith('node:')
    return isForbidden && !isHashing ? told : undefined
  }
  const target = relative('.', normalize(join(dirname(from), to)))
  if (!isLetIn(from, target)) return told
  if (roomOf(target) === room) return undefined
  return (MAY_IMPORT[room] ?? []).some((allowed) => isIn(target, allowed)) ? undefined : told
}

const isIn = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`)

const isLetIn = (from: string, target: string): boolean =>
  Object.entries(DOORS)
    .filter(([inner]) => isIn(target, inner) && !isIn(from, inner))
    .every(([, guests]) => guests.some((guest) => isIn(from, guest)))

test('only files at the top of the tree look for others from where they are, for the build knows no folders', () => {
  const looking = files.filter((file) => /new URL\([^)]*import\.meta\.url/.test(textOf(file)))
  expect(looking).toEqual(['launcher.ts', 'page-folder.ts', 'version.ts'])
})

describe('the dependency rule', () => {
  test('every room of the tree is named in it', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in MAY_IMPORT))).toEqual([])
  })

  test('no file imports what its room may not', () => {
    const imports = files.flatMap((file) => importsIn(textOf(file), file))
    expect(imports.length).toBeGreaterThan(100)
    expect(imports.map(violation).filter((found) => found !== undefined)).toEqual([])
  })

  test.each([
    { from: 'domain/contract/contract.ts', to: '../../io/system/clock.ts' },
    { from: 'domain/contract/contract.ts', to: 'node:fs' },
    { from: 'domain/contract/contract.ts', to: 'node:crypto' },
    { from: 'domain/contract/contract.ts', to: '../plain/contract.ts' },
    { from: 'protocol/stamp.ts', to: '../domain/model.ts' },
    { from: 'engine/dispatch/dispatch.ts', to: '../../io/store/open-store.ts' },
    { from: 'engine/dispatch/dispatch.ts', to: '../compose.ts' },
    { from: 'engine/dispatch/dispatch.ts', to: 'node:crypto' },
    { from: 'engine/replicate/link/link.ts', to: '../plain/exchange.ts' },
    { from: 'io/system/clock.ts', to: '../../engine/dispatch/dispatch.ts' },
    { from: 'http/rpc/rpc.ts', to: '../../engine/compose.ts' },
    { from: 'http/rpc/rpc.ts', to: '../../cli/main.ts' },
    { from: 'methods/row.ts', to: 'express' },
  ])('it catches $from importing $to', (planted) => {
    expect(violation(planted)).toBeDefined()
  })

  test('pure rooms read no clock, roll no dice and wait for nothing', () => {
    const impure = files.filter((file) => PURE.has(roomOf(file))).filter((file) => isImpure(textOf(file)))
    expect(impure).toEqual([])
  })

  test('the engine knows time, chance and the system by its ports only', () => {
    const past = files
      .filter((file) => BEHIND_PORTS.has(roomOf(file)))
      .filter((file) => isPastPorts(textOf(file)))
    expect(past).toEqual([])
  })

  test.each(['performance.now()', 'setImmediate(next)', 'setTimeout(next, 5)', 'process.pid', 'Date.now()'])(
    'it sees that %j goes past the ports',
    (text) => {
      expect(isPastPorts(`const a = ${text}`)).toBe(true)
    },
  )

  test.each([
    "import { clock } from '../io/clock.ts'",
    "export type { Clock } from '../io/clock.ts'",
    "import '../io/clock.ts'",
    "const clock = import('../io/clock.ts')",
    "import {\n  clock,\n} from '../io/clock.ts'",
  ])('it sees %j', (text) => {
    expect(importsIn(text, 'domain/x.ts').map(violation)).toEqual(['domain/x.ts imports ../io/clock.ts'])
  })

  test.each([
    'const now = new Date()',
    'const now = new Date( ).getTime()',
    'const now = new Date',
    'const now = Date.now()',
    'const name = `${prefix}-${Math.random()}`',
    'const name = `${parts.map((part) => { return `${part}${Date.now()}` })} and more`',
    "const a = `it's`; const b = Date.now(); const c = `isn't`",
    "const a = 'https://x'; await b",
    'const home = process.env',
  ])('it takes %j for impure', (text) => {
    expect(isImpure(text)).toBe(true)
  })

  test.each([
    'const then = new Date(millis)',
    '/** Reads no process, and no Date.now(). */ const a = 1',
    'const a = 1 // await nothing',
    "const text = 'the process of an async call'",
    'const text = `the process of ${name}, \\`async\\``',
    'const text = `{ ${a} process }`',
  ])('it takes %j for pure', (text) => {
    expect(isImpure(text)).toBe(false)
  })
})
