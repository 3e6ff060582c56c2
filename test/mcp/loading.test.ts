import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = new URL('../../src/', import.meta.url).pathname

/** Everything that is loaded together with a file, packages by their names. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  if (!existsSync(file)) return seen
  // What is imported when it is needed, or as a type, is not.
  const statics = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s(?!type\b)[^'()]*?'([^']+)'/gm)
  for (const [, to = ''] of statics) loadedWith(to.startsWith('.') ? join(dirname(file), to) : to, seen)
  return seen
}

const isMcp = (name: string): boolean =>
  name.startsWith('@modelcontextprotocol') || name.startsWith(`${SRC}mcp/`)

test.each(['daemon/daemon.ts', 'cli/program/program.ts'])(
  '%s starts without loading anything of MCP',
  (root) => {
    const loaded = loadedWith(join(SRC, root))
    expect(loaded.size).toBeGreaterThan(10)
    expect([...loaded].filter(isMcp)).toEqual([])
  },
)

test('a look at what `cacpd mcp` loads would find it', () => {
  expect([...loadedWith(join(SRC, 'cli/setup/mcp.ts'))].filter(isMcp)).toContain(
    '@modelcontextprotocol/server',
  )
})
