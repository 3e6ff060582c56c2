import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const SRC = new URL('../src/', import.meta.url).pathname

/** What each room of the tree may import: its own files, and these. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: [],
  domain: ['protocol'],
  methods: ['protocol', 'domain'],
  describe: ['protocol', 'domain', 'methods'],
  engine: ['protocol', 'domain', 'methods'],
  io: ['protocol', 'domain', 'engine/ports.ts'],
  http: ['protocol', 'domain', 'methods', 'describe', 'engine'],
  cli: [
    'protocol',
    'domain',
    'methods',
    'describe',
    'io',
    'client.ts',
    'config.ts',
    'daemon.ts',
    'version.ts',
  ],
  'config.ts': ['protocol', 'io'],
  'client.ts': ['protocol', 'methods', 'io'],
  'version.ts': [],
  'daemon.ts': [
    'protocol',
    'domain',
    'methods',
    'describe',
    'engine',
    'io',
    'http',
    'config.ts',
    'version.ts',
  ],
}
const PURE = new Set(['protocol', 'domain', 'methods', 'describe'])
/** Packages that a pure room may use: none of them has effects. */
const PURE_PACKAGES = new Set(['zod', 'canonicalize', '@noble/hashes'])
const IMPURE_WORDS =
  /\b(?:Date\.now|new Date\(\)|Math\.random|performance|process|setTimeout|setInterval|async|await|randomUUID)\b/

interface Import {
  from: string
  to: string
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  const found = text.matchAll(/(?:from|import\()\s*'([^']+)'/g)
  return [...found].map(([, to = '']) => ({ from: file, to }))
}

const roomOf = (file: string): string => file.split('/')[0] ?? file

/** The import that breaks the rule, or undefined. */
function violation({ from, to }: Import): string | undefined {
  const room = roomOf(from)
  const told = `${from} imports ${to}`
  if (!to.startsWith('.')) {
    const name = to.startsWith('@') ? to.split('/').slice(0, 2).join('/') : (to.split('/')[0] ?? to)
    return PURE.has(room) && !PURE_PACKAGES.has(name) ? told : undefined
  }
  const target = relative('.', normalize(join(dirname(from), to)))
  if (roomOf(target) === room) return undefined
  const allowed = MAY_IMPORT[room] ?? []
  return allowed.includes(roomOf(target)) || allowed.includes(target) ? undefined : told
}

describe('the dependency rule', () => {
  test('every room of the tree is named in it', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in MAY_IMPORT))).toEqual([])
  })

  test('no file imports what its room may not', () => {
    const imports = files.flatMap(importsOf)
    expect(imports.length).toBeGreaterThan(100)
    expect(imports.map(violation).filter((found) => found !== undefined)).toEqual([])
  })

  test.each([
    { from: 'domain/contract.ts', to: '../io/clock.ts' },
    { from: 'domain/contract.ts', to: 'node:fs' },
    { from: 'protocol/stamp.ts', to: '../domain/model.ts' },
    { from: 'engine/dispatch.ts', to: '../io/store/open-store.ts' },
    { from: 'io/clock.ts', to: '../engine/dispatch.ts' },
    { from: 'http/rpc.ts', to: '../cli/main.ts' },
    { from: 'methods/row.ts', to: 'express' },
  ])('it catches $from importing $to', (planted) => {
    expect(violation(planted)).toBeDefined()
  })

  test('pure rooms read no clock, roll no dice and wait for nothing', () => {
    const impure = files
      .filter((file) => PURE.has(roomOf(file)))
      .filter((file) => IMPURE_WORDS.test(withoutComments(readFileSync(join(SRC, file), 'utf8'))))
    expect(impure).toEqual([])
  })
})

const withoutComments = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .replace(/'[^']*'|`[^`]*`/g, '')
