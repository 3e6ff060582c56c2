import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = new URL('../..', import.meta.url).pathname

/** The pages below docs/, such as `docs/protocols/a2a.md`. */
export const DOCS: readonly string[] = readdirSync(join(ROOT, 'docs'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .sort()

export const PAGES: readonly string[] = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...DOCS]

export const pageText = (page: string): string => readFileSync(join(ROOT, page), 'utf8')
