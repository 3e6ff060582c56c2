/**
 * Why a store cannot be opened. These are for the operator's terminal, so they name files; what a caller
 * of the running daemon gets to see is in refusals.ts.
 */

const RESTORE =
  'Nothing was changed. Restore the data directory from a backup; or move it away and start with an empty one: ' +
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

export class StoreLockedError extends Error {
  override readonly name = 'StoreLockedError'
  readonly pid: number

  constructor(directory: string, pid: number) {
    super(
      `${directory} is in use by process ${pid}. ` +
        'Stop that daemon (Ctrl-C in its terminal, or kill the process), or start this one with another --data.',
    )
    this.pid = pid
  }
}
