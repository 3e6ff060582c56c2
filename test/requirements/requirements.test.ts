import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CACP_REQUIREMENTS } from './cacp.ts'

const TESTS = new URL('../', import.meta.url).pathname
const citations = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !name.startsWith('requirements/'))
  .flatMap((name) => [...readFileSync(join(TESTS, name), 'utf8').matchAll(/\[(cacp-[a-z]+-\d+)\]/g)])
  .map(([, id]) => id)

describe('the requirements of CACP 2.0', () => {
  test.each(Object.entries(CACP_REQUIREMENTS))('%s is cited by a test: %s', (id) => {
    expect(citations).toContain(id)
  })

  test('no test cites a requirement that is not in the list', () => {
    expect(citations.filter((id) => !(id !== undefined && id in CACP_REQUIREMENTS))).toEqual([])
  })
})
