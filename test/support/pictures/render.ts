import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { AVATAR, PROFILE } from '../../../src/cli/demo/script.ts'
import { launch } from '../browser/launch.ts'
import type { PictureStage } from './picture-stage.ts'
import { paletted } from './png.ts'

/** So that the same page gives the same pixels on every machine. */
const STEADY = [
  // As a Chromium with windows draws, which does not listen to this.
  '--font-render-hinting=slight',
  '--force-color-profile=srgb',
  '--disable-lcd-text',
  '--hide-scrollbars',
]

const THEMES = ['light', 'dark'] as const

interface Scene {
  readonly name: string
  open(page: Page, stage: PictureStage): Promise<void>
}

/** What is shown in README.md and docs/ui.md. */
export const SCENES: readonly Scene[] = [
  {
    name: 'inbox',
    open: async (page, { url }) => {
      await page.goto(`${url}/ui/`)
      await page.getByRole('link', { name: AVATAR.name }).first().click()
      await page.getByRole('radio').first().waitFor()
    },
  },
  {
    name: 'contract',
    open: async (page, stage) => {
      await page.goto(`${stage.url}/ui/${await stage.pathOf(PROFILE.name)}?v=1..3`)
      await page.getByRole('heading', { name: 'Both contents' }).waitFor()
      await page.locator('.diff td').first().waitFor()
    },
  },
]

/** Every picture by the name of its file. */
export async function renderPictures(
  stage: PictureStage,
  scenes = SCENES,
): Promise<ReadonlyMap<string, Buffer>> {
  await using browser = await launch(STEADY)
  const font = await fonts()
  const pictures = new Map<string, Buffer>()
  for (const colorScheme of THEMES) {
    const page = await openPage(browser, stage, { colorScheme })
    for (const { name, open } of scenes) {
      await open(page, stage)
      await page.addStyleTag({ content: font })
      await settled(page)
      const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
      pictures.set(`${name}-${colorScheme}.png`, paletted(png))
    }
    await page.context().close()
  }
  return pictures
}

async function openPage(browser: Browser, stage: PictureStage, theme: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1.5,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    // The page lets no style of others in; here the fonts are those of others.
    bypassCSP: true,
    ...theme,
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(stage.endsAt)
  await page.goto(await stage.newLink())
  await page.getByRole('status', { name: 'Connection: live' }).waitFor()
  return page
}

/** Nothing is asked or loaded any more, and what came is drawn. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('status', { name: 'Connection: live' }).waitFor()
  await page.mouse.move(640, 799)
  await page.evaluate('document.activeElement?.blur(), scrollTo(0, 0), document.fonts.ready.then(() => 0)')
  let before: Buffer | undefined
  for (let looks = 0; looks < 40; looks++) {
    const now = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    if (before?.equals(now)) return
    before = now
    await page.evaluate('new Promise((done) => setTimeout(done, 400))')
  }
  throw new Error('the page does not come to rest')
}

/** Fonts that are the same on every machine, in the place of those of the system. */
async function fonts(): Promise<string> {
  const { resolve } = createRequire(import.meta.url)
  const face = async (name: string, file: string) => {
    const bytes = await readFile(resolve(`@fontsource-variable/${file}`))
    const source = `url(data:font/woff2;base64,${bytes.toString('base64')})`
    return `@font-face { font-family: "${name}"; font-weight: 100 900; src: ${source} }`
  }
  return [
    await face('Picture Sans', 'inter/files/inter-latin-wght-normal.woff2'),
    await face('Picture Mono', 'jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
    ':root { --font: "Picture Sans", sans-serif !important; --mono: "Picture Mono", monospace !important }',
  ].join('\n')
}
