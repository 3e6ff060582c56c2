/**
 * The seam below the store: the file operations it uses, and no others. Tests put a disk in its place
 * that forgets whatever was not synced, so the store never touches `node:fs` itself.
 */
export interface Disk {
  /** Creates the directory and its parents, durably. Returns what it created, innermost first. */
  makeDirectory(path: string): Promise<readonly string[]>
  /** Lets nobody but the owner in. */
  makePrivate(directory: string): Promise<void>
  /** Only an empty one. */
  removeDirectory(path: string): Promise<void>
  list(directory: string): Promise<string[]>
  /** In bytes; undefined when there is no such file. */
  size(path: string): Promise<number | undefined>
  /** A new file; fails when the name is taken. */
  create(path: string): Promise<DiskFile>
  /** An existing file, to go on at its end. */
  open(path: string): Promise<DiskFile>
  /** In slices, so that no file has to fit into one buffer or string. */
  read(path: string, from?: number): AsyncIterable<Uint8Array>
  /** Replaces what `to` names. Durable only after `syncDirectory`, like every change of a name. */
  rename(from: string, to: string): Promise<void>
  /** No error when there is no such file. */
  remove(path: string): Promise<void>
  syncDirectory(path: string): Promise<void>
  /** Throws when the disk takes no more data. Keeps some room for the next start, should it be full then. */
  assertRoom(directory: string): Promise<void>
  /** The exclusive right to a directory, until disposed or until the process is gone. */
  lock(directory: string): Promise<AsyncDisposable>
}

export interface DiskFile {
  append(bytes: Uint8Array): Promise<void>
  /** Returns when all bytes and the size are on the medium. */
  sync(): Promise<void>
  truncate(size: number): Promise<void>
  close(): Promise<void>
}
