import type { Contract, Revision } from './reading.ts'

/** How a version is named in the address: `3`, or `2~1f3a90bc` where it lost a conflict and another one has its number. */
export type VersionName = string

/** The two versions that are compared; without a `from` one stands alone. */
export interface ComparedPair {
  readonly from: VersionName | undefined
  readonly to: VersionName
}

const DIGITS = 8

export const versionName = ({ version, revision, isLost }: Revision, { conflicts }: Contract): VersionName =>
  isLost || conflicts.some((lost) => lost.revision === revision)
    ? `${version}~${revision.slice(0, DIGITS)}`
    : String(version)

const NAME = /^(\d{1,6})(?:~([0-9a-f]{8}))?$/

/** The revision of that name; where a number exists twice, the one that counts. */
export function versionNamed(
  name: VersionName | undefined,
  versions: readonly Revision[],
  contract: Contract,
): Revision | undefined {
  return versions.findLast((one) => versionName(one, contract) === name)
}

/** `2..4` or `4` of the address; undefined where it says nothing that is there. */
export function readPair(
  text: string | undefined,
  contract: Contract,
  versions: readonly Revision[],
): ComparedPair | undefined {
  const [first = '', second, ...others] = (text ?? '').split('..')
  const [from, to] = second === undefined ? [undefined, first] : [first, second]
  const isThere = (name: VersionName): boolean => {
    const parts = NAME.exec(name)
    if (parts === null) return false
    const [, version, lost] = parts
    return lost === undefined
      ? Number(version) >= 1 && Number(version) <= contract.version
      : versions.some((one) => versionName(one, contract) === name)
  }
  if (others.length > 0 || !isThere(to) || from === to) return undefined
  return from === undefined || isThere(from) ? { from, to } : undefined
}

export const writePair = ({ from, to }: ComparedPair): string => (from === undefined ? to : `${from}..${to}`)

/** What this repo answered last, else what is in force, else the version before: beside the newest. */
export function usualPair(contract: Contract, ownRepo: string | undefined): ComparedPair {
  const to = contract.version
  const answered = contract.responses.findLast(({ repo_id }) => repo_id === ownRepo)?.version
  const from = [answered, contract.inForce?.version, to - 1].find(
    (version) => version !== undefined && version > 0 && version < to,
  )
  return { from: from === undefined ? undefined : String(from), to: String(to) }
}

/** Another `from`. No version is compared with itself: the other list takes what this one had, or else the newest. */
export const withFrom = (
  { from, to }: ComparedPair,
  name: VersionName | undefined,
  names: readonly VersionName[],
): ComparedPair => ({
  from: name,
  to: name === to ? (from ?? names.findLast((one) => one !== name) ?? to) : to,
})

/** Another `to`, likewise. */
export const withTo = ({ from, to }: ComparedPair, name: VersionName): ComparedPair => ({
  from: from === name ? to : from,
  to: name,
})

/** A version beside what it builds on. */
export function withParent(one: Revision, versions: readonly Revision[], contract: Contract): ComparedPair {
  const parent = versions.find(({ revision }) => revision === one.parent)
  const before = one.version > 1 ? String(one.version - 1) : undefined
  return {
    from: parent === undefined ? before : versionName(parent, contract),
    to: versionName(one, contract),
  }
}
