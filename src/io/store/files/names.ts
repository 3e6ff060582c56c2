/** In which projects a packet names a file, so that nobody has to search all projects for it. */
export class FileNames {
  /** By hash, then by project: how many packets name the file. */
  readonly #counts = new Map<string, Map<string, number>>()

  projectsNaming(sha256: string): Iterable<string> {
    return this.#counts.get(sha256)?.keys() ?? []
  }

  count(projectId: string, sha256: string | null, times: 1 | -1): void {
    if (sha256 === null) return
    const counts = this.#counts.get(sha256) ?? new Map<string, number>()
    const count = (counts.get(projectId) ?? 0) + times
    if (count === 0) counts.delete(projectId)
    else counts.set(projectId, count)
    if (counts.size === 0) this.#counts.delete(sha256)
    else this.#counts.set(sha256, counts)
  }
}
