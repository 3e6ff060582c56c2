import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { methodsPage } from '../src/describe/methods-page.ts'
import { describedMethods } from '../src/describe/openrpc.ts'
import { VERSION } from '../src/version.ts'

/** Required, not imported: its type declarations are sources that do not compile under our settings. */
const { validateOpenRPCDocument } = createRequire(import.meta.url)('@open-rpc/schema-utils-js') as {
  validateOpenRPCDocument(document: unknown): true | Error
}
const described = describedMethods({ version: VERSION })
const { methods } = described
const openRpc = described.openRpc()

describe('documents derived from the table', () => {
  test('the OpenRPC document is valid', () => {
    expect(validateOpenRPCDocument(openRpc)).toBe(true)
  })

  test('the OpenRPC document resolves every reference it makes', () => {
    const referred = [...JSON.stringify(openRpc).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    )
    const { schemas } = openRpc['components'] as { schemas: object }
    expect(new Set(referred).size).toBeGreaterThan(5)
    expect(referred.filter((name) => !(String(name) in schemas))).toEqual([])
  })

  test('docs/METHODS.md is current; `npm run docs` makes it so', async () => {
    expect(await readFile(new URL('../docs/METHODS.md', import.meta.url), 'utf8')).toBe(methodsPage(methods))
  })
})
