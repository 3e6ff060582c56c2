import { type Outcome, readFault, UNREACHABLE } from './fault.ts'
import { ask } from './http.ts'

/** A file that the daemon has stored, by its hash. Nobody else is told of it yet. */
export interface StoredFile {
  readonly sha256: string
  readonly size: number
}

/** Stores a file at the daemon. */
export async function storeFile(file: Blob): Promise<Outcome<StoredFile>> {
  try {
    const response = await ask('/files', { method: 'POST', bytes: file })
    const answer = (await response.json()) as StoredFile & { error?: unknown }
    return response.ok ? { ok: true, result: answer } : { ok: false, fault: readFault(answer.error) }
  } catch {
    return { ok: false, fault: UNREACHABLE }
  }
}

/** Fetches a file from the daemon, which asks the other ones for it if it has to. */
export async function fetchFile(sha256: string): Promise<Outcome<Blob>> {
  try {
    const response = await ask(`/files/${sha256}`)
    if (response.ok) return { ok: true, result: await response.blob() }
    const answer = (await response.json()) as { error?: unknown }
    return { ok: false, fault: readFault(answer.error) }
  } catch {
    return { ok: false, fault: UNREACHABLE }
  }
}
