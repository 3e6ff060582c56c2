import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { settled } from '../../support/browser/walk.ts'
import { story } from './furnished-story.ts'

const CONTENT = { method: 'GET', path: '/keys' }

/** In the page: what keeps a person from seeing where the focus is; empty is right. */
const FOCUS = `(() => {
  const focused = document.activeElement
  if (focused === document.body) return ''
  const { top, left, bottom, right, width, height } = focused.getBoundingClientRect()
  const name = focused.outerHTML.slice(0, 120)
  if (width === 0 || height === 0) return 'without size: ' + name
  if (bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth) return 'out of view: ' + name
  const [x, y] = [Math.min(right, innerWidth) + Math.max(left, 0), Math.min(bottom, innerHeight) + Math.max(top, 0)]
  const above = document.elementFromPoint(x / 2, y / 2)
  const isSeen = focused.contains(above) || above?.contains(focused) || focused.closest('label')?.contains(above)
  if (!isSeen) return 'covered by ' + above?.outerHTML.slice(0, 80) + ': ' + name
  const { outlineStyle, outlineWidth } = getComputedStyle(focused)
  return outlineStyle === 'none' || parseFloat(outlineWidth) < 2 ? 'without a mark: ' + name : ''
})()`

/** Goes through a page with the Tab key, and says where the focus could not be seen. */
async function tabThrough(page: Page, most: number): Promise<string[]> {
  const found = new Set<string>()
  for (let steps = 0; steps < most; steps++) {
    await page.keyboard.press('Tab')
    found.add(await page.evaluate<string>(FOCUS))
  }
  found.delete('')
  return [...found]
}

const focusIsIn = (page: Page, selector: string) =>
  expect.poll(() => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)).toBe(true)

story('a person who has only a keyboard finds a contract and agrees to it', async ({ person, furnished }) => {
  const { backend, frontend, projectId } = furnished
  const contractId = await furnished.propose(frontend, 'By Keyboard', CONTENT)
  await person.goto('')
  await settled(person)
  const { keyboard } = person
  await keyboard.press('Tab')
  await focusIsIn(person, 'a.skip')
  expect(await person.getByRole('link', { name: 'Skip to the content' }).boundingBox()).not.toBeNull()
  await keyboard.press('Enter')
  await focusIsIn(person, 'main')

  await keyboard.press('g')
  await keyboard.press('c')
  await person.getByRole('heading', { level: 1, name: 'Contracts' }).waitFor()
  await person.getByRole('row').nth(1).waitFor()
  await keyboard.press('j')
  await keyboard.press('Enter')
  await person.getByRole('heading', { level: 1, name: '«By Keyboard»' }).waitFor()
  await focusIsIn(person, 'main')

  await keyboard.press('a')
  await focusIsIn(person, 'textarea')
  await keyboard.type('ja: fine, go on?')
  expect((await backend.rpc('cacp/contract/get', { projectId, contractId })).responses).toEqual([])
  await keyboard.press('Control+Enter')
  await person.getByText('Agreed to version 1').waitFor()
  expect((await backend.rpc('cacp/contract/get', { projectId, contractId })).responses).toMatchObject([
    { action: 'agree', comment: 'ja: fine, go on?' },
  ])
})

story('search, help and dialogs hold the focus and give it back', async ({ person }) => {
  await person.goto('peers')
  await settled(person)
  const { keyboard } = person
  await keyboard.press('/')
  await keyboard.type('avatar')
  await person.getByRole('option', { name: /«Upload Avatar»/ }).waitFor()
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowUp')
  await keyboard.press('Enter')
  await person.getByRole('heading', { level: 1, name: '«Upload Avatar»' }).waitFor()

  await keyboard.press('?')
  await person.getByRole('dialog', { name: 'Keys' }).getByText('the version before').waitFor()
  for (let steps = 0; steps < 4; steps++) await keyboard.press('Tab')
  expect(
    await person.evaluate(
      'document.activeElement.closest("dialog") !== null || document.activeElement === document.body',
    ),
  ).toBe(true)
  await keyboard.press('Escape')
  await person.getByRole('dialog').waitFor({ state: 'hidden' })

  const preferences = person.getByRole('button', { name: 'Preferences' })
  await preferences.focus()
  await keyboard.press('Enter')
  await person.getByRole('dialog', { name: 'Preferences' }).waitFor()
  await keyboard.press('Escape')
  const focused = () => person.evaluate('document.activeElement.getAttribute("aria-label")')
  await expect.poll(focused).toBe('Preferences')
})

story('who types single letters otherwise can switch the keys off', async ({ person }) => {
  await person.goto('')
  await settled(person)
  await person.getByRole('button', { name: 'Preferences' }).click()
  await person.getByRole('checkbox', { name: 'Single keys go to screens and open forms' }).uncheck()
  await person.keyboard.press('Escape')
  await person.keyboard.press('g')
  await person.keyboard.press('m')
  await person.keyboard.press('/')
  expect(await person.getByRole('dialog').count()).toBe(0)
  await person.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
})

story('the focus is seen wherever it goes', async ({ person, furnished }) => {
  const found: string[] = []
  for (const screen of ['inbox', 'answer', 'map', 'peers'] as const) {
    await person.goto(furnished.paths[screen])
    await settled(person)
    found.push(...(await tabThrough(person, 40)).map((one) => `${screen}: ${one}`))
  }
  expect(found).toEqual([])
})

story(
  'a person who enlarges everything twice objects to a contract',
  async ({ openContext, furnished, session }) => {
    // A window of 1280 by 720 pixels has half of that, at 200 %.
    const viewport = { width: 640, height: 360 }
    const context = await openContext({
      storageState: session,
      baseURL: furnished.base,
      viewport,
      deviceScaleFactor: 2,
    })
    const person = await context.newPage()
    const { backend, frontend, projectId } = furnished
    const contractId = await furnished.propose(frontend, 'Enlarged', CONTENT)
    await person.goto('')
    await person.getByRole('link', { name: /Answer «Enlarged»/ }).click()
    await person.getByRole('link', { name: 'Open the contract' }).click()
    await person.getByRole('radio', { name: 'Request a change' }).check()
    await person.getByLabel('What should be otherwise, and why?').fill('Too small')
    expect(
      await person.evaluate('document.documentElement.scrollWidth <= innerWidth'),
      'no sideways scroll',
    ).toBe(true)
    expect(await tabThrough(person, 15)).toEqual([])
    await person.getByRole('button', { name: 'Request the change: version 1' }).click()
    await person.getByText('Requested a change of version 1').waitFor()
    expect((await backend.rpc('cacp/contract/get', { projectId, contractId })).responses).toMatchObject([
      { action: 'request_change', comment: 'Too small' },
    ])
  },
)
