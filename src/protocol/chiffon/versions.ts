/** The versions of the Chiffon agent protocol that this daemon speaks, registered in its agent card. */
export const CHIFFON_VERSIONS = ['1.0'] as const

/** The document requires the lowest version that both sides speak; undefined if there is none. */
export function commonVersion(ours: readonly string[], theirs: readonly string[]): string | undefined {
  return ours.filter((version) => theirs.includes(version)).sort(compareVersions)[0]
}

/** Number by number: 1.10 comes after 1.9. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  for (let part = 0; part < Math.max(left?.length ?? 0, right?.length ?? 0); part++) {
    const difference = (left?.[part] ?? 0) - (right?.[part] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
