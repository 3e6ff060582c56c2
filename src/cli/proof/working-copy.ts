import { type IgnoredFile, ignoredAmong, whyIgnored } from '../../domain/proof/ignored-file.ts'
import { treeDigest } from '../../domain/proof/own-tree.ts'
import { createRepositoryFiles } from '../../io/place/repository-files.ts'
import type { Gate } from './describe-gate.ts'

type Row = Gate['rows'][number]

/** The answer for a working copy: a contract whose declared files differ there from those stated last is a no. */
export async function compareFiles(told: Gate, root: string): Promise<Gate> {
  const files = createRepositoryFiles(root)
  const rows: Row[] = []
  for (const row of told.rows) {
    const { paths, digest } = row.files ?? {}
    const looks = await files.look(paths ?? [])
    const isSame = paths === undefined || treeDigest(paths, looks) === digest
    rows.push(isSame || row.answer === 'no' ? row : moved(row, ignoredAmong(paths, looks)))
  }
  const answers = ['no', 'unknown', 'yes'] as const
  const answer = answers.find((one) => rows.some((row) => row.answer === one)) ?? 'yes'
  return {
    ...told,
    answer,
    rows: rows.toSorted((a, b) => answers.indexOf(a.answer) - answers.indexOf(b.answer)),
  }
}

const moved = (
  { contractId, name, version, files, notes = [] }: Row,
  ignored: readonly IgnoredFile[],
): Row => ({
  contractId,
  name,
  version,
  ...(files === undefined ? {} : { files }),
  notes: [...notes, ...ignored.map((one) => `${one.path} counts as not there: ${whyIgnored(one)}`)],
  answer: 'no',
  code: 'own_file_moved',
  say: 'The declared files of this working copy are not those that were stated last: complete and verify it anew',
})
