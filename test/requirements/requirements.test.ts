import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { A2A_REQUIREMENTS } from './a2a.ts'
import { AGENT_API_REQUIREMENTS } from './agent-api.ts'
import { CACP_REQUIREMENTS } from './cacp.ts'
import { CAP_REQUIREMENTS } from './cap.ts'
import { CHIFFON_REQUIREMENTS } from './chiffon.ts'
import { TRANSPORT_REQUIREMENTS } from './transport.ts'

/** The lists of all documents, each by the word that its ids begin with. */
const DOCUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cacp: CACP_REQUIREMENTS,
  chiffon: CHIFFON_REQUIREMENTS,
  agentapi: AGENT_API_REQUIREMENTS,
  a2a: A2A_REQUIREMENTS,
  cap: CAP_REQUIREMENTS,
  transport: TRANSPORT_REQUIREMENTS,
}

const TESTS = new URL('../', import.meta.url).pathname
const texts = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !name.startsWith('requirements/'))
  .map((name) => readFileSync(join(TESTS, name), 'utf8'))

describe.each(Object.entries(DOCUMENTS))('the requirements of %s', (word, requirements) => {
  const pattern = new RegExp(`\\[(${word}-[a-z0-9]+-\\d+)\\]`, 'g')
  const citations = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, id = '']) => id))

  test.each(Object.entries(requirements))('%s is cited by a test: %s', (id) => {
    expect(citations).toContain(id)
  })

  test('no test cites a requirement that is not in the list', () => {
    expect(citations.filter((id) => !(id in requirements))).toEqual([])
  })
})
