import { join } from 'node:path'

/** The paths of the files in a data directory. */
export const layout = (directory: string) => ({
  directory,
  /** Its presence says that there is a store. */
  ident: join(directory, 'IDENT'),
  gitignore: join(directory, '.gitignore'),
  snapshot: join(directory, 'state.json'),
  files: join(directory, 'files'),
  journal: (epoch: number) => join(directory, `journal.${epoch}`),
  quarantine: (number: number) => join(directory, `journal.damaged-${number}`),
})

export type Layout = ReturnType<typeof layout>

const OWN_NAME =
  /^(IDENT|\.gitignore|\.gitkeep|state\.json|reserve|files|runs|work|agent|hooks|background\.json|daemon\.log(?:\.1)?|journal\..+|lock\b.*|config\.json|setup(?:\.json|\.\d+-\d+)?|endpoint\.json|operator\.key|identity\.json|tls\.pem|audit-\d+\.ndjson)(\.tmp)?$/

/**
 * Whether a directory with these names in it is a data directory and nothing else, such as somebody's home directory.
 */
export const isOwnDirectory = (names: readonly string[]): boolean =>
  names.every((name) => OWN_NAME.test(name))

/** The epochs that have a journal, oldest first. */
export function journalEpochs(names: readonly string[]): number[] {
  return names
    .flatMap((name) => /^journal\.([1-9]\d*)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}
