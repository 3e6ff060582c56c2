import { relative, sep } from 'node:path'
import { NotADocument } from '../../domain/documents/item.ts'
import { splitDocument } from '../../domain/documents/split.ts'
import { findRoot } from '../../io/place/discover-repo.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'
import { readDocument } from './read-document.ts'

/** What a document says, taken apart into contents of contracts; `source` is the path of the file in the repository. */
export async function splitFile(file: string, select: readonly string[] | undefined, terminal: Terminal) {
  const { document, path, name } = await readDocument(file, terminal)
  const { root } = await findRoot(terminal.cwd)
  const source = relative(root, path).split(sep).join('/')
  const patterns = select?.map(patternOf)
  const isWanted = (one: string) => patterns?.some((pattern) => pattern.test(one)) ?? true
  try {
    const split = splitDocument(document, { source, fallback: name, isWanted })
    if (split.items.length + split.refused.length === 0)
      throw new UsageError(
        `${file}: there is nothing in it that is wanted`,
        'See what it has: cacpd contract import --dry-run',
      )
    return { ...split, source }
  } catch (error) {
    if (error instanceof NotADocument) throw new UsageError(`${file}: ${error.message}`)
    throw error
  }
}

const patternOf = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '.*')}$`, 'is')
