import { expect, test } from 'vitest'
import { settingsPage } from '../../docs/settings-page.ts'
import { KEYS } from '../../src/config/settings.ts'
import { pageText } from './pages.ts'

test('docs/settings.md is current; `npm run docs` makes it so', () => {
  expect(pageText('docs/settings.md')).toBe(settingsPage())
})

test('docs/settings.md has one row for every setting', () => {
  const rows = [...pageText('docs/settings.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key)
  expect(rows.toSorted()).toEqual([...KEYS].toSorted())
})
