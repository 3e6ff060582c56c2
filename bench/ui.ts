import { launch } from '../test/support/browser/launch.ts'
import { look, SCREENS, type Seen } from '../test/support/browser/scale/look.ts'
import { furnish, OWN_REPO, type World, type WorldSize } from '../test/support/browser/scale/world.ts'
import { signedInTo } from '../test/support/browser/sign-in.ts'
import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import { openReader } from './inbox.ts'
import { listInbox } from './material.ts'
import { median } from './rounds.ts'
import type { Running } from './workshop.ts'

const FEW = 100
const MANY = 100_000
const SMALL: WorldSize = {
  repos: 5,
  agents: 2,
  contractsEach: 2,
  packets: 10,
  versions: 5,
  characters: 2000,
  peers: 5,
  runs: 5,
}
const LARGE: WorldSize = {
  repos: 500,
  agents: 40,
  contractsEach: 25,
  packets: 10_000,
  versions: 300,
  // As much as the daemon takes, but for what is around it.
  characters: 250_000,
  peers: 500,
  runs: 300,
}

type Look = Seen & { readonly screen: string }

/** What people wait for at the dashboard of a large store, in a real browser that has nothing of it yet. */
export async function ui({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('the dashboard of a large store')
  const rounds = Math.ceil(3 / brevity)
  const contestant = async (contracts: number, size: WorldSize) => {
    const server = await openReader({ workshop, progress }, contracts)
    const world = await furnish(server, size)
    // What a daemon looks through once in its life is a figure of its own.
    await callOnce(server, listInbox())
    return { server, world }
  }
  const few = await lookAtAll({ ...(await contestant(FEW, SMALL)), rounds, progress })
  const many = await lookAtAll({ ...(await contestant(MANY, LARGE)), rounds, progress })
  return [
    ...SCREENS.map(({ name }) =>
      against(`${name}: until there is something to read`, {
        unit: 'ms',
        most: 1500,
        of: ({ millis }) => millis,
        looks: few.filter(({ screen }) => screen === name),
        manyLooks: many.filter(({ screen }) => screen === name),
        taken: median,
      }),
    ),
    against('most rows in a page, of all screens', {
      unit: 'rows',
      most: 200,
      of: ({ rows }) => rows,
      looks: few,
      manyLooks: many,
      taken: largest,
    }),
    against('longest time for which a page could not answer, of all screens', {
      unit: 'ms',
      most: 200,
      of: ({ longestTask }) => longestTask,
      looks: few,
      manyLooks: many,
      taken: largest,
    }),
  ]
}

interface Asked extends Pick<Bench, 'progress'> {
  readonly server: Running
  readonly world: World
  readonly rounds: number
}

/** Every screen, so many times, one after the other. */
async function lookAtAll({ server, world, rounds, progress }: Asked): Promise<Look[]> {
  const { port, key, stop } = server
  const url = `http://127.0.0.1:${port}`
  const browser = await launch()
  try {
    const storageState = await signedInTo(browser, {
      fetch: async (path, { method }) => {
        const reply = await fetch(url + path, { method, headers: { authorization: `Bearer ${key}` } })
        return { json: (await reply.json()) as { url: string } }
      },
    })
    const looks: Look[] = []
    for (let round = 0; round <= rounds; round++)
      for (const { name, path, shows } of SCREENS) {
        progress.step(`${name}, round ${round}`)
        const seen = await look(browser, {
          options: { storageState },
          url: `${url}/ui/${path(world)}`,
          shows,
        })
        // The first round warms up.
        if (round > 0) looks.push({ ...seen, screen: name })
      }
    return looks
  } finally {
    await browser.close()
    await stop()
  }
}

interface Against {
  readonly unit: 'ms' | 'rows'
  readonly most: number
  readonly looks: readonly Look[]
  readonly manyLooks: readonly Look[]
  of(look: Look): number
  taken(values: readonly number[]): number
}

function against(name: string, { unit, most, looks, manyLooks, of, taken }: Against): Figure {
  const [small, large] = [taken(looks.map(of)), taken(manyLooks.map(of))]
  const worst = manyLooks.reduce((one, other) => (of(other) > of(one) ? other : one))
  return figure({
    name,
    unit,
    ours: large,
    comparedWith: { name: 'in a small store', value: small },
    ratio: large / Math.max(small, 1),
    goal: { of: 'ours', most },
    notes: [
      `${MANY} contracts, ${LARGE.repos} repos, a conversation of ${LARGE.packets} packets, contents of ` +
        `${LARGE.characters} characters, ${LARGE.peers} peers; against ${FEW}, ${SMALL.repos}, ${SMALL.packets}, ` +
        `${SMALL.characters} and ${SMALL.peers}; Chromium without cache, 1280 × 800; as ${OWN_REPO}; the worst of ` +
        `${manyLooks.length} looks: ${Math.round(of(worst))} (${worst.screen})`,
    ],
  })
}

const largest = (values: readonly number[]): number => Math.max(...values)
