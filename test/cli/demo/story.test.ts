import { expect, test } from 'vitest'
import type { Actor } from '../../../src/cli/demo/acts.ts'
import type { DemoEvent } from '../../../src/cli/demo/narration.ts'
import { playStory } from '../../../src/cli/demo/story.ts'
import { type Client, connect } from '../../../src/client.ts'
import { daemon } from '../../support/daemons/daemon.ts'
import { folderWith } from '../../support/folders/folder.ts'

/** Answers the first look after each call as the daemon does while the other side lacks something. */
function lateFor(client: Client, looks: string[]): Client {
  return Object.assign(Object.create(client) as Client, {
    call: async (method: string, params: never, ...others: never[]) => {
      const isFirst = method === 'cacp/outbox/list' && looks.at(-1) !== method
      looks.push(method)
      const answer = await client.call(method as never, params, ...others)
      return isFirst ? { ...Object(answer), peers: [{ behind: 1 }] } : answer
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
  const looks: string[] = []
  const actor = async (repo: string, { url, key }: typeof first): Promise<Actor> => ({
    repo,
    root: folder.at(repo),
    client: lateFor(await connect({ url, key }), looks),
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
  // Ten things that the other side has to know, each looked for until it was there.
  expect(told.filter(({ event }) => event === 'arrived')).toHaveLength(11)
  expect(looks.filter((method) => method === 'cacp/outbox/list').length).toBeGreaterThanOrEqual(20)
})
