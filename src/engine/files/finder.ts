import { seesEverything } from '../../domain/env.ts'
import { mayHave, mentionsOf } from '../../domain/files/shared-file.ts'
import { maySee, viewerOf } from '../../domain/lookup.ts'
import type { View } from '../../domain/view.ts'
import type { PeerReport } from '../../methods/peers/peer.ts'
import type { FileAsker, SharedFiles } from '../../methods/services.ts'
import { Fault } from '../../protocol/fault.ts'
import type { FetchFile } from '../ports/ports.ts'
import type { FileIntake } from './intake.ts'

export interface FileFinderDeps {
  intake: Pick<FileIntake, 'put'>
  view: View
  peers: () => readonly PeerReport[]
  /** Left out where daemons serve no files to each other. */
  fetchFile?: FetchFile | undefined
  /** The file on the hub; undefined where it has none. Left out where there is no hub. */
  onHub?: (sha256: string) => Promise<AsyncIterable<Uint8Array> | undefined>
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
export function createFileFinder(deps: FileFinderDeps): SharedFiles {
  const { intake, view, peers, fetchFile, onHub, millis } = deps
  const searches = new Map<string, Promise<boolean>>()

  return {
    take: (bytes, caller) => intake.put(bytes, { party: caller }),

    async bring(sha256, asker) {
      if (view.fileSize(sha256) !== undefined) return mayHave(view, sha256, asker.caller)
      const running = searches.get(sha256)
      // A daemon that asks while the search is running gets no, because daemons that ask each other in a ring would
      // wait for each other.
      if (running !== undefined)
        return !asker.isDaemon && (await running) && mayHave(view, sha256, asker.caller)
      const [mention] = mentionsOf(view, sha256, asker.caller)
      if (mention === undefined) return false
      const { agent_id: author } = mention.packet
      const searching = search(sha256, { ...asker, author }).finally(() => searches.delete(sha256))
      searches.set(sha256, searching)
      return searching
    },
  }

  /**
   * The peers that may have the file, authors of packets that name it first. A caller that may not see such a packet
   * must not learn that the file exists.
   */
  function whoMayHave(sha256: string, { caller }: FileAsker): PeerReport[] {
    const mentions = [...mentionsOf(view, sha256, caller)]
    const authors = new Set(mentions.map(({ packet }) => packet.agent_id))
    return peers()
      .filter((peer) => {
        const known = view.peers.get(peer.agentId)
        if (known === undefined || !mayAnswer(peer)) return false
        return mentions.some(({ found }) => maySee(found, viewerOf(known)))
      })
      .sort((a, b) => Number(authors.has(b.agentId)) - Number(authors.has(a.agentId)))
  }

  async function search(
    sha256: string,
    { author, ...asker }: FileAsker & { author: string },
  ): Promise<boolean> {
    const isUnbounded = seesEverything(asker.caller)
    const take = async (bytes: AsyncIterable<Uint8Array> | undefined, agentId: string): Promise<boolean> => {
      if (bytes === undefined) return false
      const party = { kind: 'peer' as const, agentId }
      await intake.put(bytes, { party, isUnbounded, expected: sha256 })
      return true
    }
    for (const { agentId, endpoint } of whoMayHave(sha256, asker))
      if (await isBrought(() => take(fetchFile?.(`${endpoint}/files/${sha256}`, millis, agentId), agentId)))
        return true
    // It counts as brought by whoever says that it shares it.
    return onHub !== undefined && (await isBrought(async () => take(await onHub(sha256), author)))
  }
}

/** A failure at one place is no reason not to look at the next one. */
async function isBrought(bring: () => Promise<boolean>): Promise<boolean> {
  try {
    return await bring()
  } catch (error) {
    if (Fault.from(error).kind === 'storage_full') throw error
    return false
  }
}
