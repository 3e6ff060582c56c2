import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CLIENTS, hookOf, hooksOf, inputFrom } from '../../../src/setup/hooks/clients.ts'
import { claudeHooks, codexHooks, cursorHooks } from '../../../src/setup/hooks/files.ts'

/** What each client documents that it reads on a hook's stdout; strict, because Codex refuses what it does not know. */
const context = (hookEventName: string) =>
  z.strictObject({
    hookSpecificOutput: z.strictObject({
      hookEventName: z.literal(hookEventName),
      additionalContext: z.string().min(1).max(10_000),
    }),
  })
const block = z.strictObject({ decision: z.literal('block'), reason: z.string().min(1) })
const DOCUMENTED: Record<string, z.ZodType> = {
  'claude SessionStart': context('SessionStart'),
  'claude UserPromptSubmit': context('UserPromptSubmit'),
  'claude Stop': block,
  'codex SessionStart': context('SessionStart'),
  'codex UserPromptSubmit': context('UserPromptSubmit'),
  'codex Stop': block,
  'cursor sessionStart': z.strictObject({ additional_context: z.string().min(1) }),
  'cursor stop': z.strictObject({ followup_message: z.string().min(1) }),
}

describe('the hooks of clients', () => {
  test('are those that are documented, and no others', () => {
    const all = CLIENTS.flatMap((client) => hooksOf(client).map((event) => `${client} ${event}`))
    expect(all).toEqual(Object.keys(DOCUMENTED))
    for (const [client, event] of [
      ['claude', 'stop'],
      ['claude', 'toString'],
      ['cursor', 'SessionStart'],
      ['toString', 'stop'],
      ['', ''],
    ])
      expect(hookOf(client ?? '', event ?? '')).toBeUndefined()
  })

  test('are those that setting up an agent writes down', () => {
    const wanted = { command: { command: 'cacpd', args: [] }, isWindows: false }
    const written = [claudeHooks, codexHooks, cursorHooks].flatMap((file) => [
      ...file(wanted).paste.matchAll(/cacpd hook (\w+ \w+)/g),
    ])
    expect(written.map(([, words]) => words)).toEqual(Object.keys(DOCUMENTED))
  })

  test.each(Object.entries(DOCUMENTED))('%s prints what is documented', (words, format) => {
    const [client = '', event = ''] = words.split(' ')
    const hook = hookOf(client, event)
    const output = hook?.moment === 'stop' ? hook.goOn('two items') : hook?.tell('a brief')
    expect(format.safeParse(output).error).toBeUndefined()
    expect(JSON.stringify(output)).toMatch(/two items|a brief/)
  })
})

describe('what a client says', () => {
  test.each([
    {
      client: 'Claude Code',
      said: { session_id: 's1', cwd: '/r', hook_event_name: 'Stop', stop_hook_active: false },
      read: { sessionId: 's1', folders: ['/r'], isResumed: false, mustStop: false },
    },
    {
      client: 'Claude Code that goes on already',
      said: { session_id: 's1', cwd: '/r', hook_event_name: 'Stop', stop_hook_active: true },
      read: { mustStop: true },
    },
    {
      client: 'Codex at a resumed session',
      said: { session_id: 's1', cwd: '/r', hook_event_name: 'SessionStart', source: 'resume', model: 'm' },
      read: { sessionId: 's1', isResumed: true },
    },
    {
      client: 'Cursor',
      said: { conversation_id: 'c1', workspace_roots: ['/a', '/b'], status: 'completed', loop_count: 0 },
      read: { sessionId: 'c1', folders: ['/a'], mustStop: false },
    },
    {
      client: 'Cursor that goes on already',
      said: { conversation_id: 'c1', workspace_roots: ['/a'], status: 'completed', loop_count: 1 },
      read: { mustStop: true },
    },
    {
      client: 'Cursor whose user has ended the work',
      said: { conversation_id: 'c1', status: 'aborted', loop_count: 0 },
      read: { mustStop: true },
    },
  ])('is read from $client', ({ said, read }) => {
    expect(inputFrom(said)).toMatchObject(read)
  })

  test.each([undefined, null, 7, 'text', [], {}, { session_id: 7, cwd: null, workspace_roots: 'x' }])(
    'may be %j, which says nothing',
    (said) => {
      expect(inputFrom(said)).toEqual({
        sessionId: undefined,
        folders: [],
        isResumed: false,
        mustStop: false,
      })
    },
  )
})
