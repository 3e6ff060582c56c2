import { dirname } from 'node:path'
import type { Disk, DiskFile } from '../../../src/io/store/directory/disk.ts'
import { StoreLockedError } from '../../../src/io/store/store-errors.ts'
import { SimulatedFile } from './file.ts'

/** A number in [0, 1). All chance in a simulation comes from one of these, so a seed replays it. Always 0: the worst. */
export type Random = () => number

const ROOM_BYTES = 64 * 1024

/** What can be made to fail. */
export type Fallible = 'append' | 'sync' | 'truncate' | 'rename' | 'syncDirectory'

type Name = { readonly path: string; readonly file: SimulatedFile | undefined }

/**
 * A disk in memory that remembers what is durable: bytes since the last sync of their file, and names since
 * the last sync of their directory, may be gone after `crash()`. It has no clock; it waits only while held.
 */
export class SimulatedDisk implements Disk {
  /** How much more can be appended before the disk is full. */
  freeBytes = Number.POSITIVE_INFINITY
  /** The power fails at the operation after so many. */
  operationsUntilPowerFailure = Number.POSITIVE_INFINITY
  operations = 0

  readonly #random: Random
  #failing: { readonly operation: Fallible; readonly path: RegExp }[] = []
  readonly #locks = new Set<string>()
  #names = new Map<string, SimulatedFile>()
  #durableNames = new Map<string, SimulatedFile>()
  /** Changes of names that are not durable; what stands in one list happens together or not at all. */
  #renamings: (readonly Name[])[] = []
  #life = 1
  #isPowered = true
  #held: Promise<void> | undefined

  constructor(random: Random = () => 0) {
    this.#random = random
  }

  get isPowered(): boolean {
    return this.#isPowered
  }

  /** From now on this operation fails, on these paths, as it does on a broken disk. */
  fail(operation: Fallible, path = /./): void {
    this.#failing.push({ operation, path })
  }

  /** Nothing fails any more. */
  mend(): void {
    this.#failing = []
  }

  /** Lets every operation wait until the returned function is called. */
  hold(): () => void {
    let release = () => {}
    this.#held = new Promise((resolve) => {
      release = () => {
        this.#held = undefined
        resolve()
      }
    })
    return release
  }

  /** The process is gone and the machine goes on: all it wrote can be read, and still is not durable. */
  kill(): void {
    this.#locks.clear()
    this.#life += 1
    this.#isPowered = true
    this.#held = undefined
    this.operationsUntilPowerFailure = Number.POSITIVE_INFINITY
    this.freeBytes = Number.POSITIVE_INFINITY
  }

  /** Power off and on: what was durable is there, of the rest chance keeps some. Open files are dead. */
  crash(): void {
    for (const renaming of this.#renamings) if (this.#random() >= 0.5) setNames(this.#durableNames, renaming)
    this.#names = new Map(this.#durableNames)
    this.#renamings = []
    for (const file of new Set(this.#names.values())) file.crash(this.#random)
    this.kill()
  }

  /** The content as a reader sees it now, for tests to look at; undefined when there is no such file. */
  contentOf(path: string): Buffer | undefined {
    return this.#names.get(path)?.content()
  }

  /** Every file with its content. */
  files(): Map<string, Buffer> {
    return new Map([...this.#names].map(([path, file]) => [path, file.content()]))
  }

  /** Puts a durable file in place, for tests that damage one. */
  plant(path: string, content: Uint8Array): void {
    const file = new SimulatedFile(content)
    this.#names.set(path, file)
    this.#durableNames.set(path, file)
  }

  /** Takes a file away for good. */
  lose(path: string): void {
    this.#names.delete(path)
    this.#durableNames.delete(path)
  }

  paths(): string[] {
    return [...this.#names.keys()].sort()
  }

  /** Directories are there when something is in them. */
  makeDirectory(): Promise<readonly string[]> {
    return this.#operate(() => [])
  }

  makePrivate(): Promise<void> {
    return this.#operate(() => {})
  }

  removeDirectory(): Promise<void> {
    return this.#operate(() => {})
  }

  list(directory: string): Promise<string[]> {
    return this.#operate(() =>
      this.paths()
        .filter((path) => dirname(path) === directory)
        .map((path) => path.slice(directory.length + 1)),
    )
  }

  size(path: string): Promise<number | undefined> {
    return this.#operate(() => this.#names.get(path)?.size)
  }

  create(path: string): Promise<DiskFile> {
    return this.#operate(() => {
      if (this.#names.has(path)) throw systemError('EEXIST', path)
      const file = new SimulatedFile()
      this.#rename([{ path, file }])
      return this.#handle(file, path)
    })
  }

  open(path: string): Promise<DiskFile> {
    return this.#operate(() => this.#handle(this.#existing(path), path))
  }

  async *read(path: string, from = 0): AsyncIterable<Uint8Array> {
    const content = await this.#operate(() => this.#existing(path).content())
    // Uneven slices, so that whatever reads them cannot rely on where they end.
    for (let start = from; start < content.length; ) {
      const end = start + 64 + Math.floor(this.#random() * 8192)
      yield await this.#operate(() => content.subarray(start, end))
      start = end
    }
  }

  rename(from: string, to: string): Promise<void> {
    return this.#operate(() => {
      this.#assertWorks('rename', to)
      const file = this.#existing(from)
      this.#rename([
        { path: from, file: undefined },
        { path: to, file },
      ])
    })
  }

  remove(path: string): Promise<void> {
    return this.#operate(() => {
      if (this.#names.has(path)) this.#rename([{ path, file: undefined }])
    })
  }

  syncDirectory(directory: string): Promise<void> {
    return this.#operate(() => {
      this.#assertWorks('syncDirectory', directory)
      const isHere = (renaming: readonly Name[]) => renaming.some(({ path }) => dirname(path) === directory)
      for (const renaming of this.#renamings.filter(isHere)) setNames(this.#durableNames, renaming)
      this.#renamings = this.#renamings.filter((renaming) => !isHere(renaming))
    })
  }

  assertRoom(): Promise<void> {
    return this.#operate(() => {
      if (this.freeBytes < ROOM_BYTES) throw systemError('ENOSPC', 'simulated')
    })
  }

  lock(directory: string): Promise<AsyncDisposable> {
    return this.#operate(() => {
      if (this.#locks.has(directory)) throw new StoreLockedError(directory, process.pid)
      this.#locks.add(directory)
      const life = this.#life
      return {
        [Symbol.asyncDispose]: async () => {
          if (life === this.#life) this.#locks.delete(directory)
        },
      }
    })
  }

  #handle(file: SimulatedFile, path: string): DiskFile {
    const life = this.#life
    const operate = (operation: Fallible, act: () => void) =>
      this.#operate(() => {
        this.#assertWorks(operation, path)
        act()
      }, life)
    return {
      append: (bytes) => operate('append', () => this.#append(file, bytes)),
      sync: () => operate('sync', () => file.sync()),
      truncate: (size) => operate('truncate', () => file.truncate(size)),
      close: () => this.#operate(() => {}, life),
    }
  }

  #assertWorks(operation: Fallible, path: string): void {
    if (this.#failing.some((one) => one.operation === operation && one.path.test(path)))
      throw systemError('EIO', `${operation} ${path}, simulated`)
  }

  #append(file: SimulatedFile, bytes: Uint8Array): void {
    const fitting = Math.min(bytes.length, this.freeBytes)
    file.append(bytes.subarray(0, fitting))
    this.freeBytes -= fitting
    if (fitting < bytes.length) throw systemError('ENOSPC', 'simulated')
  }

  async #operate<Result>(operation: () => Result, life = this.#life): Promise<Result> {
    await this.#held
    if (life !== this.#life) throw systemError('EIO', 'the power has failed since this file was opened')
    if (this.#isPowered && this.operations >= this.operationsUntilPowerFailure) this.#isPowered = false
    if (!this.#isPowered) throw systemError('EIO', 'there is no power')
    this.operations += 1
    return operation()
  }

  #existing(path: string): SimulatedFile {
    const file = this.#names.get(path)
    if (file === undefined) throw systemError('ENOENT', path)
    return file
  }

  #rename(names: readonly Name[]): void {
    setNames(this.#names, names)
    this.#renamings.push(names)
  }
}

/** mulberry32: small, and good enough to choose crash points. */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function setNames(names: Map<string, SimulatedFile>, renaming: readonly Name[]): void {
  for (const { path, file } of renaming) {
    if (file === undefined) names.delete(path)
    else names.set(path, file)
  }
}

function systemError(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code })
}
