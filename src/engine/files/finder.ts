import { type Caller, seesEverything } from '../../domain/env.ts'
import { mayHave, mentionsOf } from '../../domain/files/shared-file.ts'
import { maySee, viewerOf } from '../../domain/lookup.ts'
import type { StoredFile, View } from '../../domain/view.ts'
import type { PeerReport } from '../../methods/peers/peer.ts'
import type { FileAsker, SharedFiles } from '../../methods/services.ts'
import { Fault } from '../../protocol/fault.ts'
import type { FetchFile } from '../ports/ports.ts'
import type { FileIntake } from './intake.ts'

export interface FileFinderDeps {
  intake: Pick<FileIntake, 'put'>
  view: View
  peers: () => readonly PeerReport[]
  fetchFile: FetchFile
  /** How long one peer may take to send a file. */
  millis: number
}

/**
 * Peers that have been unreachable for long, or are not approved, are not asked. A paired peer gets our key with the
 * request, so it must have proven its identity first.
 */
const MAY_ANSWER: ReadonlySet<string> = new Set(['healthy', 'connecting', 'failing'])
const mayAnswer = ({ health, fingerprint }: PeerReport): boolean =>
  fingerprint === null ? MAY_ANSWER.has(health) : health === 'healthy'

/** Fetches files that a packet names from the peers that have them, when somebody asks for them. */
export class FileFinder implements SharedFiles {
  readonly #deps: FileFinderDeps
  readonly #searches = new Map<string, Promise<boolean>>()

  constructor(deps: FileFinderDeps) {
    this.#deps = deps
  }

  take(bytes: AsyncIterable<Uint8Array>, caller: Caller): Promise<StoredFile> {
    return this.#deps.intake.put(bytes, { party: caller })
  }

  async bring(sha256: string, asker: FileAsker): Promise<boolean> {
    if (this.#deps.view.fileSize(sha256) !== undefined) return mayHave(this.#deps.view, sha256, asker.caller)
    const running = this.#searches.get(sha256)
    // A daemon that asks while the search is running gets no, because daemons that ask each other in a ring would
    // wait for each other.
    if (running !== undefined)
      return !asker.isDaemon && (await running) && mayHave(this.#deps.view, sha256, asker.caller)
    const holders = this.#whoMayHave(sha256, asker)
    if (holders.length === 0) return false
    const search = this.#search(sha256, holders, asker).finally(() => this.#searches.delete(sha256))
    this.#searches.set(sha256, search)
    return search
  }

  /**
   * The peers that may have the file, authors of packets that name it first. A caller that may not see such a packet
   * must not learn that the file exists.
   */
  #whoMayHave(sha256: string, { caller }: FileAsker): PeerReport[] {
    const mentions = [...mentionsOf(this.#deps.view, sha256, caller)]
    const authors = new Set(mentions.map(({ packet }) => packet.agent_id))
    return this.#deps
      .peers()
      .filter((peer) => {
        const known = this.#deps.view.peers.get(peer.agentId)
        if (known === undefined || !mayAnswer(peer)) return false
        return mentions.some(({ found }) => maySee(found, viewerOf(known)))
      })
      .sort((a, b) => Number(authors.has(b.agentId)) - Number(authors.has(a.agentId)))
  }

  async #search(sha256: string, holders: readonly PeerReport[], { caller }: FileAsker): Promise<boolean> {
    const { intake, fetchFile, millis } = this.#deps
    const isUnbounded = seesEverything(caller)
    for (const { agentId, endpoint } of holders) {
      try {
        const bytes = fetchFile(`${endpoint}/files/${sha256}`, millis, agentId)
        const party = { kind: 'peer' as const, agentId }
        await intake.put(bytes, { party, isUnbounded, expected: sha256 })
        return true
      } catch (error) {
        // A failure at one peer is no reason not to ask the next one.
        if (Fault.from(error).kind === 'storage_full') throw error
      }
    }
    return false
  }
}

/** For daemons that do not fetch files. */
export const fetchNothing: FetchFile = () => {
  throw new Fault('not_found', 'Files are not fetched here')
}
