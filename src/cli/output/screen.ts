import type { OutputFlags } from '../form/with-daemon.ts'
import type { Look } from './table.ts'
import type { Terminal } from './terminal.ts'
import { timeAgo } from './time-ago.ts'

/** A terminal with the form of times that was asked for. */
export type Screen = Terminal & Look

export const screenOf = (terminal: Terminal, { times }: OutputFlags): Screen => ({
  ...terminal,
  ...(times === 'iso' ? {} : { now: Date.now() }),
})

export const timeOn = ({ now }: Look, stamp: string): string =>
  now === undefined ? stamp : timeAgo(stamp, now)
