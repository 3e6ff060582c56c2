import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LAUNCHER } from '../../launcher.ts'

/** A page of the documentation that comes with the package. */
export interface HelpPage {
  /** What it is asked for by: `a2a` for docs/protocols/a2a.md. */
  readonly topic: string
  readonly path: string
}

const DOCS = join(dirname(dirname(LAUNCHER)), 'docs')

export async function helpPages(): Promise<HelpPage[]> {
  // The help of commands does not depend on whether the pages are there.
  const names = await readdir(DOCS, { recursive: true }).catch(() => [])
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ topic: basename(name, '.md').toLowerCase(), path: join(DOCS, name) }))
    .sort((a, b) => (a.topic < b.topic ? -1 : 1))
}

export const textOf = ({ path }: HelpPage): Promise<string> => readFile(path, 'utf8')

/** The question that a page answers, which is its first sentence. */
export async function questionOf(page: HelpPage): Promise<string> {
  const [, paragraph = ''] = (await textOf(page)).split('\n\n')
  return paragraph.split('\n').join(' ').split('?')[0]?.concat('?') ?? ''
}
