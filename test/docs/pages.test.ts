import { expect, test } from 'vitest'
import { blocksOf } from './markdown.ts'
import { DOCS, pageText } from './pages.ts'

test('the README fits', () => {
  expect(pageText('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(250)
})

test.each(DOCS)('%s starts with the question it answers', (page) => {
  const [title = '', question = ''] = pageText(page).split('\n\n')
  expect(title).toMatch(/^# \S[^\n]*$/)
  expect(question).toMatch(/^[A-Z][\s\S]*\?/)
})

test('docs/glossary.md has at most 40 words, each once', () => {
  const words = [...pageText('docs/glossary.md').matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, word]) => word)
  const listed = words.filter((word) => word !== 'word')
  expect(listed.length).toBeLessThanOrEqual(40)
  expect(new Set(listed).size).toBe(listed.length)
})

test('the drawing and the four walks of the README are those of docs/architecture.md', () => {
  const [readme, architecture] = ['README.md', 'docs/architecture.md'].map((page) => {
    const text = pageText(page)
    const drawings = blocksOf(text).filter((block) => block.text.includes('─ engine ─'))
    const walks = text.match(/^1\. \*\*A proposal[\s\S]*?(?=\n\n)/gm)
    return { drawings: drawings.map((block) => block.text), walks }
  })
  expect(readme?.drawings).toHaveLength(1)
  expect(readme?.walks).toHaveLength(1)
  expect(readme).toEqual(architecture)
})
