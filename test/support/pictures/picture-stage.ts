import { join } from 'node:path'
import { pino } from 'pino'
import type { Actor } from '../../../src/cli/demo/acts.ts'
import { leaveOpen } from '../../../src/cli/demo/left-open.ts'
import { PROJECT, REPOSITORIES } from '../../../src/cli/demo/script.ts'
import { playStory } from '../../../src/cli/demo/story.ts'
import { connect } from '../../../src/client.ts'
import { loadConfig } from '../../../src/config/config.ts'
import { startDaemon } from '../../../src/daemon/daemon.ts'
import { openDemoPlace } from '../../../src/io/demo/place.ts'
import { readOperatorKey } from '../../../src/io/place/data-dir.ts'
import { writeSeededIdentity } from './seeded-identity.ts'
import { StoryClock } from './story-clock.ts'

/** How long each step of the story takes in the pictures. */
const STEP_SECONDS = 47

/** The repositories of a demo that is kept, always the same: clock, ids and keys are those of the story. */
export interface PictureStage extends AsyncDisposable {
  /** When the story is over, in milliseconds. */
  readonly endsAt: number
  readonly url: string
  /** A link that opens the dashboard of the backend, once. */
  newLink(): Promise<string>
  /** The address of a contract below `/ui/`. */
  pathOf(contract: string): Promise<string>
}

type Repository = (typeof REPOSITORIES)['backend' | 'frontend']

export async function openPictureStage(): Promise<PictureStage> {
  const place = await openDemoPlace()
  const opened: AsyncDisposable[] = []
  const clock = new StoryClock()
  const actor = async ({ name, files }: Repository, aheadMillis: number) => {
    const root = await place.addRepository(name, files)
    const dataDir = join(root, '.cacp')
    const own = clock.of(name, aheadMillis)
    await writeSeededIdentity(dataDir, name, own)
    const config = await loadConfig({
      flags: { port: 0, agentId: `aid://example.com/${name}@1.0.0` },
      env: { XDG_STATE_HOME: join(place.folder, 'state') },
      cwd: root,
    })
    const daemon = await startDaemon(config, { clock: own, log: pino({ level: 'silent' }) })
    opened.unshift(daemon)
    const key = await readOperatorKey(dataDir)
    const client = await connect({ url: daemon.url, key })
    opened.unshift(client)
    return { repo: name, root, client, key }
  }
  const backend = await actor(REPOSITORIES.backend, 0)
  const frontend = await actor(REPOSITORIES.frontend, 1)
  const stage = {
    backend,
    frontend,
    tell: () => {},
    pause: async () => clock.pass(STEP_SECONDS),
    signal: new AbortController().signal,
  }
  await playStory(stage)
  await leaveOpen(stage)
  clock.pass(STEP_SECONDS)
  await askToBeLetIn(backend)
  clock.pass(STEP_SECONDS)
  const { url } = backend.client
  return {
    endsAt: clock.millis,
    url,
    newLink: async () => {
      const headers = { authorization: `Bearer ${backend.key}` }
      const reply = await fetch(`${url}/ui/login-codes`, { method: 'POST', headers })
      return ((await reply.json()) as { url: string }).url
    },
    pathOf: async (contract) => {
      const { contracts } = await backend.client.call('cacp/contract/list', {
        projectId: PROJECT.name,
        q: contract,
      })
      const [found] = contracts
      if (found === undefined) throw new Error(`the story has no contract «${contract}»`)
      return `c/${found.projectId}/${found.contractId}`
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of opened) await one[Symbol.asyncDispose]()
      place.remove()
    },
  }
}

/** As the third daemon of the demo does, at an address that is the same in every picture. */
async function askToBeLetIn({ client }: Actor): Promise<void> {
  const { name } = REPOSITORIES.stranger
  const body = {
    agentId: `aid://example.com/${name}@1.0.0`,
    endpoint: 'http://127.0.0.1:8090',
    repoName: name,
  }
  const reply = await fetch(`${client.url}/peers/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`the stranger was answered ${reply.status}`)
}
