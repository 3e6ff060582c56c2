import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildPage } from '../../src/ui/build.ts'
import { codeOf, sourceFiles, sourceOf } from '../support/folders/source-code.ts'

/** All of the page for a browser that has none of it. */
const MOST_BYTES = 80_000

/** What the page may share with the daemon: files that reach no package and no `node:`. */
const SHARED = [
  'src/domain/contract/align-lists.ts',
  'src/domain/contract/common-items.ts',
  'src/domain/names/quoted.ts',
  'src/domain/peers/peer-health.ts',
  'src/protocol/run/fold.ts',
  'src/protocol/sse/parser.ts',
]
const PACKAGES = /^node_modules\/(?:preact|@preact\/signals|@preact\/signals-core)\//

const page = await buildPage()
const text = (name: string): string => new TextDecoder().decode(page.files.get(name))
const named = (ending: string): string => [...page.files.keys()].find((name) => name.endsWith(ending)) ?? ''

test('the page is made from its own files, Preact, signals, and a few files of the daemon', () => {
  const others = Object.keys(page.metafile.inputs).filter(
    (file) => !file.startsWith('src/ui/') && !PACKAGES.test(file),
  )
  expect(others.sort()).toEqual(SHARED)
})

test('all of the page is at most 80 kB, compressed', () => {
  const sizes = [...page.files.values()].map((bytes) => gzipSync(bytes, { level: 9 }).length)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MOST_BYTES)
})

test('the document refers to the files that were built, by absolute paths', () => {
  expect(text('index.html')).toContain(`<script type="module" src="/ui/${named('.js')}">`)
  expect(text('index.html')).toContain(`<link rel="stylesheet" href="/ui/${named('.css')}">`)
  expect(named('.js')).toMatch(/^assets\/app-[A-Z0-9]+\.js$/)
})

test('nothing in the page is inline, which its policy would forbid', () => {
  expect(text('index.html')).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\son\w+=/)
})

test('the page names no address but those of namespaces', () => {
  const addresses = [...page.files.keys()].flatMap((name) => text(name).match(/\bhttps?:\/\/[\w.]+/g) ?? [])
  expect([...new Set(addresses)].filter((address) => address !== 'http://www.w3.org')).toEqual([])
})

/** Whatever makes elements or code from text. */
const SINKS =
  /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|setHTMLUnsafe|createContextualFragment|DOMParser|srcdoc|eval)\b|document\s*\.\s*write|\bnew\s+Function\b|javascript:/

test('no file of the page makes elements or code from text', () => {
  const files = sourceFiles.filter((file) => file.startsWith('ui/'))
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => SINKS.test(codeOf(sourceOf(file))))).toEqual([])
})

test.each([
  'a.innerHTML = b',
  'el.outerHTML',
  '<p dangerouslySetInnerHTML={x} />',
  'document.write(x)',
  'eval(x)',
])('it would see %j', (code) => {
  expect(SINKS.test(codeOf(code))).toBe(true)
})
