import { describe, expect, test } from 'vitest'
import { WITHOUT_NATS } from '../support/hub/nats-server.ts'
import { blocksOf } from './markdown.ts'
import { outputsOf, shown, stepsOf } from './page-script.ts'
import { pageText } from './pages.ts'
import { SCENES } from './scenes.ts'

describe.each(Object.entries(SCENES))('%s', (page, place) => {
  test('its commands run as they are written, and print what it shows', async ({ skip }) => {
    if (page === 'docs/hub.md' && WITHOUT_NATS !== undefined) skip(WITHOUT_NATS)
    const steps = stepsOf(blocksOf(pageText(page)))
    expect(steps.length).toBeGreaterThan(0)
    await using scene = await place()
    expect(await outputsOf(steps, scene)).toEqual(shown(steps, scene))
  }, 300_000)
})
