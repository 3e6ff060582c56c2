import type { Self } from '../../domain/env.ts'
import { fileNamedIn } from '../../domain/files/shared-file.ts'
import { isSharedOnHub, mayBeOnHub } from '../../domain/files/travelling-files.ts'
import type { HubScope } from '../../domain/hub/travelling.ts'
import { packet as packetKind } from '../../domain/statements/packet.ts'
import type { View } from '../../domain/view.ts'
import type { HubFiles } from '../ports/hub-rooms.ts'
import type { Files, SequencedStatement, Timers } from '../ports/ports.ts'

export interface FileShelfDeps {
  readonly self: Pick<Self, 'signer'>
  readonly view: View
  readonly files: Pick<Files, 'open'>
  readonly timers: Timers
  /** Called with what went wrong; it is tried again. */
  readonly failed?: ((error: unknown) => void) | undefined
}

const RETRY_MILLIS = 60_000

interface Shelf {
  readonly files: HubFiles
  readonly scope: HubScope
}

/** Puts files that this daemon shares on the hub, so that others get them while it is away, and fetches theirs. */
export class FileShelf {
  readonly #deps: FileShelfDeps
  readonly #toPut = new Set<string>()
  #shelf: Shelf | undefined
  #isPutting = false
  #cancel: () => void = () => {}

  constructor(deps: FileShelfDeps) {
    this.#deps = deps
  }

  /** The connection from now on; undefined while there is none. The hub may be another one, so all is looked at again. */
  use(shelf: Shelf | undefined): void {
    this.#cancel()
    this.#shelf = shelf
    if (shelf === undefined) return
    for (const { sha256 } of this.#deps.view.uploads.oldestFirst()) this.#toPut.add(sha256)
    void this.#putAll()
  }

  /** These are durable. */
  note(statements: readonly SequencedStatement[]): void {
    const { keyId } = this.#deps.self.signer
    for (const { statement } of statements) {
      if (statement.kind !== packetKind.name || statement.key !== keyId) continue
      const sha256 = fileNamedIn({ content: statement.content?.value ?? null })
      if (sha256 !== null) this.#toPut.add(sha256)
    }
    if (this.#toPut.size > 0) void this.#putAll()
  }

  /** Undefined where the hub has no such file, or cannot have it. */
  async get(sha256: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const shelf = this.#shelf
    if (shelf === undefined || !mayBeOnHub(this.#deps.view, sha256, shelf.scope)) return undefined
    return await shelf.files.get(sha256)
  }

  async #putAll(): Promise<void> {
    if (this.#isPutting) return
    this.#isPutting = true
    try {
      for (const sha256 of this.#toPut) {
        const shelf = this.#shelf
        if (shelf === undefined) return
        await this.#put(sha256, shelf)
        this.#toPut.delete(sha256)
      }
    } catch (error) {
      this.#deps.failed?.(error)
      this.#cancel()
      this.#cancel = this.#deps.timers.after(RETRY_MILLIS, () => void this.#putAll())
    } finally {
      this.#isPutting = false
    }
  }

  async #put(sha256: string, { files, scope }: Shelf): Promise<void> {
    const { view, self } = this.#deps
    if (!isSharedOnHub(view, sha256, { ownKey: self.signer.keyId, scope })) return
    if (await files.has(sha256)) return
    const file = await this.#deps.files.open(sha256)
    if (file !== undefined) await files.put(sha256, file.bytes)
  }
}
