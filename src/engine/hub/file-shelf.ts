import { fileNamedIn } from '../../domain/files/shared-file.ts'
import { type HubScope, isSharedOnHub, mayBeOnHub } from '../../domain/hub/travelling.ts'
import { packet as packetKind } from '../../domain/statements/packet.ts'
import type { Parts } from '../parts.ts'
import type { HubRooms } from '../ports/hub-rooms.ts'
import type { SequencedStatement } from '../ports/ports.ts'

const RETRY_MILLIS = 60_000

type Shelf = Pick<HubRooms, 'files'> & { readonly scope: HubScope }

/** Puts files that this daemon shares on the hub, so that others get them while it is away, and fetches theirs. */
export function createFileShelf(deps: Pick<Parts, 'self' | 'view' | 'files' | 'timers' | 'failed'>) {
  const { self, view, files, timers, failed } = deps
  const toPut = new Set<string>()
  let shelf: Shelf | undefined
  let isPutting = false
  let cancel = () => {}

  return {
    /** The connection from now on; undefined while there is none. The hub may be another one, so all is looked at again. */
    use(next: Shelf | undefined): void {
      cancel()
      shelf = next
      if (next === undefined) return
      for (const { sha256 } of view.uploads.oldestFirst()) toPut.add(sha256)
      void putAll()
    },

    /** These are durable. */
    note(statements: readonly SequencedStatement[]): void {
      const { keyId } = self.signer
      for (const { statement } of statements) {
        if (statement.kind !== packetKind.name || statement.key !== keyId) continue
        const sha256 = fileNamedIn({ content: statement.content?.value ?? null })
        if (sha256 !== null) toPut.add(sha256)
      }
      if (toPut.size > 0) void putAll()
    },

    /** Undefined where the hub has no such file, or cannot have it. */
    async get(sha256: string): Promise<AsyncIterable<Uint8Array> | undefined> {
      if (shelf === undefined || !mayBeOnHub(view, sha256, shelf.scope)) return undefined
      return await shelf.files.get(sha256)
    },
  }

  async function putAll(): Promise<void> {
    if (isPutting) return
    isPutting = true
    try {
      for (const sha256 of toPut) {
        if (shelf === undefined) return
        await put(sha256, shelf)
        toPut.delete(sha256)
      }
    } catch (error) {
      // It is tried again.
      failed?.(error)
      cancel()
      cancel = timers.after(RETRY_MILLIS, () => void putAll())
    } finally {
      isPutting = false
    }
  }

  async function put(sha256: string, { files: onHub, scope }: Shelf): Promise<void> {
    if (!isSharedOnHub(view, sha256, { ownKey: self.signer.keyId, scope })) return
    if (await onHub.has(sha256)) return
    const file = await files.open(sha256)
    if (file !== undefined) await onHub.put(sha256, file.bytes)
  }
}
