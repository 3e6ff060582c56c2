import { maySee } from '../domain/lookup.ts'
import { mentionsOf } from '../domain/shared-file.ts'
import type { View } from '../domain/view.ts'
import type { FileAsker, PeerReport, SharedFiles } from '../methods/services.ts'
import { Fault } from '../protocol/fault.ts'
import { LIMITS } from '../protocol/limits.ts'
import type { FetchFile, Files } from './ports.ts'

export interface FileFinderDeps {
  files: Files
  view: View
  peers: () => readonly PeerReport[]
  fetchFile: FetchFile
  /** How long one peer may take to hand a file over. */
  millis: number
}

/**
 * Not those that have been away for long, and least of all those that nobody approved. One that we have a key for
 * is shown it when it is asked, so it must have proven by now that it is who it was when they were paired.
 */
const MAY_ANSWER: ReadonlySet<string> = new Set(['healthy', 'connecting', 'failing'])
const mayAnswer = ({ health, fingerprint }: PeerReport): boolean =>
  fingerprint === null ? MAY_ANSWER.has(health) : health === 'healthy'

/** Brings files that a packet names from the peers that have them, when somebody asks for them. */
export class FileFinder implements SharedFiles {
  readonly #deps: FileFinderDeps
  readonly #searches = new Map<string, Promise<boolean>>()

  constructor(deps: FileFinderDeps) {
    this.#deps = deps
  }

  async bring(sha256: string, asker: FileAsker): Promise<boolean> {
    if (this.#deps.view.fileSize(sha256) !== undefined) return this.#isShownTo(sha256, asker)
    const running = this.#searches.get(sha256)
    // Daemons that stand in a ring would wait for each other: whoever is searching already has no answer yet.
    if (running !== undefined) return asker.isDaemon ? false : running
    const holders = this.#whoMayHave(sha256, asker)
    if (holders.length === 0) return false
    const search = this.#search(sha256, holders).finally(() => this.#searches.delete(sha256))
    this.#searches.set(sha256, search)
    return search
  }

  /** To know the hash of a file is not enough: others than those at home must see a packet that names it. */
  #isShownTo(sha256: string, { caller }: FileAsker): boolean {
    if (caller.kind === 'operator' || caller.kind === 'open') return true
    for (const _ of mentionsOf(this.#deps.view, sha256, caller)) return true
    return false
  }

  /** The author of a packet that names it comes first. Whoever may not see such a packet is not told of its file. */
  #whoMayHave(sha256: string, { caller }: FileAsker): PeerReport[] {
    const mentions = [...mentionsOf(this.#deps.view, sha256, caller)]
    const authors = new Set(mentions.map(({ packet }) => packet.from_agent))
    return this.#deps
      .peers()
      .filter((peer) => {
        const viewer = { kind: 'peer' as const, repoName: peer.repoName }
        return mayAnswer(peer) && mentions.some(({ found }) => maySee(found, viewer))
      })
      .sort((a, b) => Number(authors.has(b.agentId)) - Number(authors.has(a.agentId)))
  }

  async #search(sha256: string, holders: readonly PeerReport[]): Promise<boolean> {
    const { files, fetchFile, millis } = this.#deps
    for (const { agentId, endpoint } of holders) {
      try {
        const bytes = fetchFile(`${endpoint}/files/${sha256}`, millis, agentId)
        await files.put(bytes, LIMITS.fileBytes, sha256)
        return true
      } catch (error) {
        // What went wrong at the peer's end is no reason not to ask the next one.
        if (Fault.from(error).kind === 'storage_full') throw error
      }
    }
    return false
  }
}
