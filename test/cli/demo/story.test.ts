import { expect, test } from 'vitest'
import type { DemoEvent } from '../../../src/cli/demo/narration.ts'
import { type Actor, playStory } from '../../../src/cli/demo/story.ts'
import { type Client, connect } from '../../../src/client.ts'
import { daemon } from '../../support/daemons/daemon.ts'
import { folderWith } from '../../support/folders/folder.ts'

const NOWHERE = '01934a7c-5b1e-7d20-9c44-f6a8e2b01d93'

/** Answers, when asked for a conversation for the first time, as the daemon does before it has come over. */
function lateFor(client: Client, asked: string[]): Client {
  return Object.assign(Object.create(client) as Client, {
    call: (method: string, params: { projectId: string; packetId: string }, ...others: never[]) => {
      if (method !== 'cacp/context/getThread') return client.call(method as never, params as never, ...others)
      const isFirst = !asked.includes(params.packetId)
      asked.push(params.packetId)
      return client.call(method, isFirst ? { ...params, packetId: NOWHERE } : params)
    },
  })
}

test('the demo goes on only when the other side has what was said, however late that is', async () => {
  await using first = await daemon()
  await using second = await daemon({
    repo: 'frontend-app',
    role: 'frontend',
    agentId: 'aid://example.com/frontend@1.0.0',
  })
  await using folder = await folderWith()
  const asked: string[] = []
  const actor = async (repo: string, { url, key }: typeof first): Promise<Actor> => ({
    repo,
    root: folder.at(repo),
    client: lateFor(await connect({ url, key }), asked),
  })
  const told: DemoEvent[] = []
  const status = await playStory({
    backend: await actor('backend-api', first),
    frontend: await actor('frontend-app', second),
    tell: (event) => told.push(event),
    pause: async () => {},
    signal: new AbortController().signal,
  })
  expect(status).toBe('verified')
  // A question, an answer and a decision, each looked for until it was there.
  expect(new Set(asked).size).toBe(3)
  expect(asked.length).toBeGreaterThanOrEqual(6)
})
