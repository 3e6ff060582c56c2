import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { World } from './world.ts'

/** One screen of the dashboard, and how one sees that it shows what it is for. */
export interface Screen {
  readonly name: string
  path(world: World): string
  /** What is there once the screen has something to read. */
  readonly shows: string
}

export const SCREENS: readonly Screen[] = [
  { name: 'Inbox', path: () => '', shows: '.inbox-list [data-row]' },
  { name: 'Contracts, table', path: () => 'contracts', shows: '.contract-table [data-row]' },
  { name: 'Contracts, board', path: () => 'contracts?view=board', shows: '.board [data-row]' },
  {
    name: 'Contract, discussed',
    path: ({ projectId, discussed }) => `c/${projectId}/${discussed}`,
    shows: '.contract-thread .entry',
  },
  {
    name: 'Contract, large content',
    path: ({ projectId, large }) => `c/${projectId}/${large}?v=1..3`,
    shows: '.contract-main .fields li',
  },
  {
    name: 'Conversation',
    path: ({ projectId, question }) => `t/${projectId}/${question}`,
    shows: '.conversation .entry',
  },
  { name: 'Map, near', path: () => 'map', shows: '.map-scroll svg a' },
  { name: 'Map, all', path: () => 'map?reach=all', shows: '.map-scroll svg a' },
  { name: 'Timeline', path: () => 'timeline', shows: '.timeline .moment' },
  { name: 'Peers', path: () => 'peers', shows: '.peer-rows li' },
  { name: 'Runs', path: () => 'runs', shows: '.table tbody tr' },
]

/** What was seen of a screen. */
export interface Seen {
  /** From the first byte that is asked for until there is something to read. */
  readonly millis: number
  /** Rows of lists and tables in the page, at the most. */
  readonly rows: number
  /** The longest time for which the page could not answer; 0: never longer than 50 ms. */
  readonly longestTask: number
}

const ROWS = 'main li, main tr, main [data-row]'
/** How often one reads on, by most of the height of the window. */
const SCROLLS = 12

interface Where {
  /** With the session of a person. */
  readonly options: BrowserContextOptions
  readonly url: string
  /** What is there once the screen has something to read. */
  readonly shows: string
}

/** Opens a screen in a browser that has nothing of it yet, reads down, and tells what that took. */
export async function look(browser: Browser, { options, url, shows }: Where): Promise<Seen> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  try {
    const page = await context.newPage()
    await page.addInitScript({ content: watching(shows) })
    await page.goto(url)
    const millis = Number(await page.evaluate('benchShown'))
    let rows = await page.locator(ROWS).count()
    for (let step = 0; step < SCROLLS; step++) {
      await page.mouse.wheel(0, 700)
      await page.evaluate('new Promise((done) => setTimeout(done, 100))')
      rows = Math.max(rows, await page.locator(ROWS).count())
    }
    return { millis, rows, longestTask: Number(await page.evaluate('Math.max(0, ...benchTasks)')) }
  } finally {
    await context.close()
  }
}

/** What the page itself notes: when there was something to read, and how long it was busy. */
const watching = (shows: string): string => `
  globalThis.benchTasks = []
  new PerformanceObserver((list) => benchTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })
  globalThis.benchShown = new Promise((done) => {
    const look = () =>
      document.querySelector(${JSON.stringify(shows)}) ? done(performance.now()) : requestAnimationFrame(look)
    look()
  })
`
