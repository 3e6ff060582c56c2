/** What the address of a page says: the screen, what it is about, and how it is shown. */
export interface Route {
  readonly screen: Screen
  /** Of a contract: project and contract; of a thread: project and a packet of it; of a run: its id. */
  readonly ids: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

/** The first part of the path of each screen, and how many ids follow it. */
const PATHS = {
  inbox: { path: '', ids: [0] },
  contracts: { path: 'contracts', ids: [0] },
  contract: { path: 'c', ids: [2] },
  thread: { path: 't', ids: [2] },
  map: { path: 'map', ids: [0] },
  timeline: { path: 'timeline', ids: [0] },
  peers: { path: 'peers', ids: [0, 1] },
  runs: { path: 'runs', ids: [0, 1] },
} as const satisfies Record<string, { path: string; ids: readonly number[] }>

export type Screen = keyof typeof PATHS

const SCREENS = Object.entries(PATHS) as [Screen, { path: string; ids: readonly number[] }][]

/** The route of a path below `/ui/`; undefined where there is no such page. */
export function readRoute(path: string, search: string): Route | undefined {
  const [first = '', ...ids] = path
    .replace(/\/$/, '')
    .split('/')
    .map((part) => decoded(part))
  const found = SCREENS.find(([, known]) => known.path === first && known.ids.includes(ids.length))
  if (found === undefined || ids.includes('')) return undefined
  return { screen: found[0], ids, query: Object.fromEntries(new URLSearchParams(search)) }
}

/** The address of a route, relative to `/ui/`. What is empty is left out of the query. */
export function writeRoute({ screen, ids = [], query = {} }: Destination): string {
  const path = [PATHS[screen].path, ...ids.map(encodeURIComponent)].join('/')
  const kept = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(kept as [string, string][]).toString()
  return search === '' ? path : `${path}?${search}`
}

/** A route in short. */
export interface Destination {
  readonly screen: Screen
  readonly ids?: readonly string[]
  readonly query?: Readonly<Record<string, string | undefined>>
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** What every screen is given. */
export interface ScreenProps {
  readonly route: Route
}
