/**
 * The file operations that the store uses, and no others. The store never touches `node:fs` itself, so tests can give
 * it a disk that forgets whatever was not synced.
 */
export interface Disk {
  /** Creates the directory and its parents, durably. Returns what it created, innermost first. */
  makeDirectory(path: string): Promise<readonly string[]>
  /** Takes away the rights of everybody but the owner. */
  makePrivate(directory: string): Promise<void>
  /** Only if it is empty. */
  removeDirectory(path: string): Promise<void>
  list(directory: string): Promise<string[]>
  /** Undefined when there is no such file. */
  size(path: string): Promise<number | undefined>
  /** Makes a new file; fails when the name is taken. */
  create(path: string): Promise<DiskFile>
  /** Opens an existing file to append to it. */
  open(path: string): Promise<DiskFile>
  /** Reads in slices, so that no file has to fit into one buffer or string. */
  read(path: string, from?: number): AsyncIterable<Uint8Array>
  /** Replaces the file `to`. Durable only after `syncDirectory`, like every change of a name. */
  rename(from: string, to: string): Promise<void>
  /** Does not fail when there is no such file. */
  remove(path: string): Promise<void>
  syncDirectory(path: string): Promise<void>
  /**
   * Throws when the disk takes no more data. Also reserves some space, so that a start is possible on a full disk.
   */
  assertRoom(directory: string): Promise<void>
  /** Locks the directory until the lock is disposed of or the process ends. */
  lock(directory: string): Promise<AsyncDisposable>
}

export interface DiskFile {
  append(bytes: Uint8Array): Promise<void>
  /** Returns when all bytes and the size are on the disk. */
  sync(): Promise<void>
  truncate(size: number): Promise<void>
  close(): Promise<void>
}
