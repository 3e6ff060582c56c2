import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { accessFindings, colourFindings } from '../../support/browser/axe.ts'
import { settled, walkTo } from '../../support/browser/walk.ts'
import { SCREENS } from './furnished.ts'
import { story as furnishedStory } from './furnished-story.ts'

/** What is wrong with each screen, in a line that begins with its name. */
type LookAtAll = (look: (page: Page) => Promise<string[]>) => Promise<string[]>

const story = furnishedStory.extend('lookAtAll', async ({ person, furnished }): Promise<LookAtAll> => {
  await person.goto('')
  await settled(person)
  return async (look) => {
    const found: string[] = []
    for (const screen of SCREENS) {
      await walkTo(person, furnished.paths[screen])
      found.push(...named(screen, await look(person)))
    }
    return found
  }
})

/** Words of the way from screen to screen that take more than a line. */
const BROKEN_WORDS =
  '[...document.querySelectorAll(".rail-word")].filter((word) => word.offsetHeight > 25).map((word) => word.innerText)'

const named = (name: string, found: readonly string[]) => found.map((one) => `${name}: ${one}`)

story('everybody can use every screen, in all colours', async ({ lookAtAll }) => {
  const inAllColours = async (page: Page) => {
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
    const light = await accessFindings(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await colourFindings(page)
    await page.emulateMedia({ forcedColors: 'active' })
    const forced = await colourFindings(page)
    return [...named('light', light), ...named('dark', dark), ...named('forced', forced)]
  }
  expect(await lookAtAll(inAllColours)).toEqual([])
})

story('everybody can use every screen where there is little room', async ({ lookAtAll }) => {
  const inLittleRoom = async (page: Page) => {
    await page.setViewportSize({ width: 320, height: 640 })
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    const broken = (await page.evaluate(BROKEN_WORDS)) as string[]
    await page.setViewportSize({ width: 390, height: 800 })
    const found = await accessFindings(page)
    return [...(width > 320 ? [`${width} px wide`] : []), ...named('broken', broken), ...found]
  }
  expect(await lookAtAll(inLittleRoom)).toEqual([])
})

story('everybody can use what opens above a screen', async ({ person }) => {
  await person.goto('peers')
  await settled(person)
  const found: string[] = []
  for (const name of [
    'Preferences',
    'Invite a daemon',
    'Other daemons of this machine',
    'Search or go to…',
  ]) {
    await person.getByRole('button', { name }).click()
    await person.getByRole('dialog').waitFor()
    found.push(...named(name, await accessFindings(person)))
    await person.keyboard.press('Escape')
    await person.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  expect(found).toEqual([])
})
