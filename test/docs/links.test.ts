import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { anchorsOf, linksOf } from './markdown.ts'
import { PAGES, pageText, ROOT } from './pages.ts'

/** A link to another site; nothing here calls it. */
const ELSEWHERE = /^https?:\/\//

/** What is wrong with the links of a page; `read` answers the text of another file, or undefined. */
function brokenLinks(page: string, text: string, read: (path: string) => string | undefined): string[] {
  return linksOf(text).flatMap(({ target, line }) => {
    if (ELSEWHERE.test(target)) return []
    const [file = '', anchor] = target.split('#')
    const path = file === '' ? page : normalize(join(dirname(page), file))
    const there = path === page ? text : read(path)
    const told = `${page}:${line}: ${target}`
    if (there === undefined) return [`${told}: no such file`]
    return anchor === undefined || anchorsOf(there).has(anchor) ? [] : [`${told}: no such heading`]
  })
}

const inRepository = (path: string): string | undefined => {
  if (path.startsWith('..') || !existsSync(join(ROOT, path))) return undefined
  return path.endsWith('.md') ? pageText(path) : ''
}

test.each(PAGES)('every link in %s leads somewhere', (page) => {
  expect(brokenLinks(page, pageText(page), inRepository)).toEqual([])
})

test('the README leads to every page of docs', () => {
  const linked = new Set(linksOf(pageText('README.md')).map(({ target }) => target.split('#')[0]))
  expect(PAGES.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([])
})

test.each([
  ['a file that is not there', '[x](setups.md)', 'docs/a.md:1: setups.md: no such file'],
  [
    'a file outside of the repository',
    '[x](../../etc/passwd)',
    'docs/a.md:1: ../../etc/passwd: no such file',
  ],
  ['a heading that is not there', '[x](b.md#three)', 'docs/a.md:1: b.md#three: no such heading'],
  ['a heading of the page itself', '# A\n[x](#b)', 'docs/a.md:2: #b: no such heading'],
  ['a picture', '![x](lost.svg)', 'docs/a.md:1: lost.svg: no such file'],
  [
    'a picture for dark pages',
    '<picture><source media="(prefers-color-scheme: dark)" srcset="lost.png"></picture>',
    'docs/a.md:1: lost.png: no such file',
  ],
  ['a link whose text is code', '[`x`](lost.md)', 'docs/a.md:1: lost.md: no such file'],
])('it finds a link to %s', (_what, text, told) => {
  const read = (path: string) => (path === 'docs/b.md' ? '# One `cacpd`, two\n## Same\n## Same\n' : undefined)
  expect(brokenLinks('docs/a.md', text, read)).toEqual([told])
})

test('it takes headings as GitHub does, and leaves code alone', () => {
  const read = () => '# One `cacpd`, two\n## Same\n## Same\n```text\n# no heading\n```\n'
  const right = '[x](b.md#one-cacpd-two) [x](b.md#same-1) [x](https://example.com/lost.md)\n`[x](lost.md)`'
  expect(brokenLinks('docs/a.md', right, read)).toEqual([])
  expect(brokenLinks('docs/a.md', '[x](b.md#no-heading)', read)).toHaveLength(1)
})
