// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is only looked at

import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeOf, sourceFiles as files, sourceOf as textOf } from './support/source-code.ts'

/** What each room of the tree may import: its own files, and these. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: [],
  domain: ['protocol'],
  methods: ['protocol', 'domain'],
  dialects: ['protocol'],
  setup: ['protocol', 'domain'],
  describe: ['protocol', 'domain', 'methods'],
  engine: ['protocol', 'domain', 'methods'],
  io: [
    'protocol',
    'domain',
    'setup',
    'engine/ports.ts',
    'engine/run-ports.ts',
    'engine/work-ports.ts',
    'launcher.ts',
  ],
  mcp: ['protocol', 'domain', 'methods', 'version.ts'],
  http: ['protocol', 'domain', 'methods', 'dialects', 'describe', 'engine', 'mcp'],
  exchange: ['protocol', 'domain', 'engine', 'io', 'http', 'exposure.ts', 'version.ts'],
  cli: [
    'protocol',
    'domain',
    'methods',
    'describe',
    'setup',
    'io',
    'mcp',
    'exchange',
    'client.ts',
    'config.ts',
    'daemon.ts',
    'exposure.ts',
    'late-parts.ts',
    'launcher.ts',
    'settings.ts',
    'version.ts',
  ],
  'settings.ts': ['protocol'],
  'config.ts': ['protocol', 'io', 'exposure.ts', 'settings.ts'],
  'exposure.ts': ['protocol'],
  'client.ts': ['protocol', 'methods', 'io'],
  'version.ts': [],
  'launcher.ts': [],
  'adp.ts': ['protocol', 'domain', 'engine', 'io', 'config.ts'],
  'late-parts.ts': ['io', 'http'],
  'rules.ts': ['engine', 'config.ts'],
  'own-endpoint.ts': ['io', 'config.ts'],
  'asking.ts': ['engine', 'io', 'config.ts', 'rules.ts'],
  'daemon.ts': [
    'adp.ts',
    'asking.ts',
    'own-endpoint.ts',
    'rules.ts',
    'protocol',
    'domain',
    'methods',
    'describe',
    'engine',
    'io',
    'http',
    'config.ts',
    'exposure.ts',
    'version.ts',
  ],
}
const PURE = new Set(['protocol', 'domain', 'methods', 'dialects', 'describe', 'setup'])
/** Packages that a pure room may use: none of them has effects. */
const PURE_PACKAGES = new Set(['zod', 'canonicalize', 'jsonc-parser', 'smol-toml'])
/** A hash depends on nothing but what is hashed; the rest of that module is kept out by there being one such file. */
const HASHING: Import = { from: 'protocol/sha256.ts', to: 'node:crypto' }
/** `new Date` with an argument reads no clock. */
const IMPURE_WORDS =
  /\b(?:Date\.now|Math\.random|performance|process|setTimeout|setInterval|async|await|randomUUID|new Date\b(?!\s*\(\s*[^)\s]))\b/

interface Import {
  from: string
  to: string
}

function importsIn(text: string, file: string): Import[] {
  const found = text.matchAll(/\b(?:from|import|import\()\s*'([^']+)'/g)
  return [...found].map(([, to = '']) => ({ from: file, to }))
}

const isImpure = (text: string): boolean => IMPURE_WORDS.test(codeOf(text))

const roomOf = (file: string): string => file.split('/')[0] ?? file

/** The import that breaks the rule, or undefined. */
function violation({ from, to }: Import): string | undefined {
  const room = roomOf(from)
  const told = `${from} imports ${to}`
  if (!to.startsWith('.')) {
    const name = to.startsWith('@') ? to.split('/').slice(0, 2).join('/') : (to.split('/')[0] ?? to)
    const isHashing = from === HASHING.from && to === HASHING.to
    return PURE.has(room) && !PURE_PACKAGES.has(name) && !isHashing ? told : undefined
  }
  const target = relative('.', normalize(join(dirname(from), to)))
  if (roomOf(target) === room) return undefined
  const allowed = MAY_IMPORT[room] ?? []
  return allowed.includes(roomOf(target)) || allowed.includes(target) ? undefined : told
}

test('only files at the top of the tree look for others from where they are, for the build knows no folders', () => {
  const looking = files.filter((file) => /new URL\([^)]*import\.meta\.url/.test(textOf(file)))
  expect(looking).toEqual(['launcher.ts', 'version.ts'])
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
    { from: 'domain/contract.ts', to: '../io/clock.ts' },
    { from: 'domain/contract.ts', to: 'node:fs' },
    { from: 'domain/contract.ts', to: 'node:crypto' },
    { from: 'protocol/stamp.ts', to: '../domain/model.ts' },
    { from: 'engine/dispatch.ts', to: '../io/store/open-store.ts' },
    { from: 'io/clock.ts', to: '../engine/dispatch.ts' },
    { from: 'http/rpc.ts', to: '../cli/main.ts' },
    { from: 'methods/row.ts', to: 'express' },
  ])('it catches $from importing $to', (planted) => {
    expect(violation(planted)).toBeDefined()
  })

  test('pure rooms read no clock, roll no dice and wait for nothing', () => {
    const impure = files.filter((file) => PURE.has(roomOf(file))).filter((file) => isImpure(textOf(file)))
    expect(impure).toEqual([])
  })

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
