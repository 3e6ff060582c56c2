import { basename, join, sep } from 'node:path'
import { DataDirError } from '../place/data-dir.ts'
import { isDiskFull, systemCode } from '../system/code.ts'
import type { Whereabouts } from './directory/lock-holder.ts'

/**
 * Errors that say why a store cannot be opened. They are for the operator's terminal, so they name files; the faults
 * for callers of the running daemon are in refusals.ts.
 */

const RESTORE =
  'Nothing was changed. Restore the data directory from a backup; or move it away and start with an empty one (--new-data): ' +
  'if it has peers, they will send what they have.'

export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError'
  readonly file: string
  readonly offset: number

  constructor(file: string, offset: number, problem: string, next = RESTORE) {
    super(`${file} is damaged at byte ${offset}: ${problem}. ${next}`)
    this.file = file
    this.offset = offset
  }
}

export class StoreTooNewError extends Error {
  override readonly name = 'StoreTooNewError'

  constructor(file: string, format: number) {
    super(
      `${file} at byte 0 has format ${format}, which a newer cacpd wrote. ` +
        'Nothing was changed. Start that newer version, or restore a backup from before the upgrade.',
    )
  }
}

/** A format that held whole entities instead of statements. No release wrote it, so nothing reads it. */
export class StoreTooOldError extends Error {
  override readonly name = 'StoreTooOldError'

  constructor(file: string, format: number) {
    super(
      `${file} at byte 0 has format ${format}, which keeps whole entities that nobody signed. ` +
        'Only versions before the first release wrote it, and this one cannot read it. Nothing was changed. ' +
        'Move the data directory away and start with an empty one (--new-data): say again what still counts, or let the peers send it.',
    )
  }
}

type LiveWhereabouts = Exclude<Whereabouts, 'gone'>

/** Where the process that holds a lock runs, the name of its machine, and the path of the lock file. */
export interface LockedWhere {
  readonly whereabouts: LiveWhereabouts
  readonly host: string
  readonly file: string
}

export class StoreLockedError extends Error {
  override readonly name = 'StoreLockedError'
  readonly pid: number
  readonly whereabouts: LiveWhereabouts

  constructor(directory: string, pid: number, where?: LockedWhere) {
    super(`${directory} ${lockedWords(pid, where)}`)
    this.pid = pid
    this.whereabouts = where?.whereabouts ?? 'here'
  }
}

function lockedWords(pid: number, where: LockedWhere | undefined): string {
  switch (where?.whereabouts) {
    case 'elsewhere':
      return (
        `is in use by process ${pid} in another container (${where.host}). ` +
        'Use or stop that daemon there, or start this one with another --data.'
      )
    case 'unknown':
      return (
        `is in use by process ${pid} of another machine or container (${where.host}), or was when that ended: ` +
        'nobody can tell from here. ' +
        `Stop that daemon there; if it is gone, remove ${where.file} and try again. Or choose another --data.`
      )
    default:
      return (
        `is in use by process ${pid}. ` +
        'Stop that daemon with `cacpd down`, or Ctrl-C in its terminal, or start this one with another --data.'
      )
  }
}

const ELSEWHERE = 'or choose another directory with --data'

/**
 * Turns an error of the operating system about a data directory into one with a cause and a next step; other errors
 * are returned as they are.
 */
export function inWords(error: unknown, directory: string): unknown {
  const code = systemCode(error)
  if (code === undefined || error instanceof DataDirError) return error
  const { path = directory } = error as NodeJS.ErrnoException
  const isOfOneFile = path.startsWith(join(directory, sep)) && !basename(path).startsWith('lock')
  const isOfWholeDisk = isDiskFull(error) || code === 'EROFS'
  const [problem, next] =
    isOfOneFile && !isOfWholeDisk ? wordsForFile(code, path) : wordsForDirectory(code, directory)
  return new DataDirError(problem, next, error)
}

type Words = readonly [problem: string, next: string]

const wordsForFile = (code: string, path: string): Words => [
  `${path} cannot be read or written (${code})`,
  `See that it is what it should be and belongs to this user, ${ELSEWHERE}`,
]

/** `DIR` stands for the data directory; all that is advised is an alternative to choosing another one. */
const FULL: Words = ['The disk of the data directory DIR is full', 'Free some space on it and start again']
const FORBIDDEN: Words = [
  'This user may not read and write the data directory DIR',
  'Start as the user it belongs to, change its owner or mode',
]
const FILE_THERE: Words = ['The data directory DIR is a file, or lies below one', 'Move that file away']
const OF_DIRECTORY: Readonly<Record<string, Words>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: ['The data directory DIR is on a disk that can only be read', 'Make it writable'],
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EEXIST: FILE_THERE,
  ENOTDIR: FILE_THERE,
  ENOENT: [
    'The data directory DIR cannot be made, because what it should lie in does not exist',
    'Make that first',
  ],
}

function wordsForDirectory(code: string, directory: string): Words {
  const [problem, next] = OF_DIRECTORY[code] ?? [
    `The data directory DIR cannot be used (${code})`,
    'Check the path and the disk',
  ]
  return [problem.replace('DIR', () => directory), `${next}, ${ELSEWHERE}`]
}

/**
 * A store in a directory with other files would hide them from git, change their mode and might one day remove them.
 */
export const directoryInUse = (directory: string) =>
  new DataDirError(`${directory} holds other files`, 'Choose an empty or new directory with --data')
