import { expect, test } from 'vitest'
import { ChangeLog } from '../../../src/engine/log/change-log.ts'
import { createLibrarian } from '../../../src/engine/runs/librarian.ts'
import { SearchIndex } from '../../../src/engine/search/search-index.ts'
import { type Desk, openDesk, openFeature } from '../../support/desk/desk.ts'
import { requestWith } from '../../support/dialects/run-events.ts'
import { OPERATOR } from '../../support/runs/test-runs.ts'

async function ask({ store }: Desk, question: string): Promise<string> {
  const log = new ChangeLog(store.statements())
  const librarian = createLibrarian({
    store,
    index: new SearchIndex({ store, log, pause: () => Promise.resolve() }),
  })
  let text = ''
  await librarian.run(
    requestWith({
      messages: [{ role: 'user', content: [{ type: 'text', text: question }] }],
      parameters: {},
    }),
    {
      runId: 'run',
      attempt: 1,
      asker: OPERATOR,
      signal: new AbortController().signal,
      emit: async (event) => {
        if (event.type === 'text') text += event.delta
      },
      history: async () => [],
    },
  )
  return text
}

test('the librarian answers with what was decided, and says where others decided otherwise', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const { packetId: replyTo } = await frontend('cacp/context/askQuestion', {
    projectId,
    question: 'Where does the session token live?',
    options: ['cookie', 'memory'],
  })
  expect(await ask(desk, 'where does the session token live?')).toContain('frontend-app shared')
  const decide = (call: typeof backend, chosen: string) =>
    call('cacp/context/recordDecision', {
      projectId,
      decision: 'Storage',
      chosen,
      rationale: 'safe',
      replyTo,
    })
  await decide(backend, 'vault')
  const told = await ask(desk, 'where does the session token live?')
  expect(told).toMatch(
    /^backend-api decided in project .* on the question Where does the session token live\?: .*vault/,
  )
  expect(told).toContain('This is not among the options of the question.')
  expect(told).not.toContain('frontend-app shared')
  await decide(frontend, 'memory')
  const both = await ask(desk, 'where does the session token live?')
  expect(both).toContain('frontend-app decided otherwise: nothing is settled.')
  expect(both).toContain('backend-api decided otherwise: nothing is settled.')
})
