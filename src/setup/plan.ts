import { sha256 } from '../protocol/text/sha256.ts'
import { applySplices, type SetupFile, type Splice, undoSplices } from './edit.ts'
import type { FileRecord } from './record.ts'

/** What to do with one file, in the words of what was done then. */
export type Plan =
  | { readonly did: 'nothing' | 'in_order' | 'removed' }
  | { readonly did: 'left'; readonly why: string }
  /** `restored`: the result is the original, byte for byte; `stripped`: only our part was found and removed. */
  | { readonly did: 'restored' | 'stripped'; readonly text: string; readonly lines: string }
  | NewText

interface NewText {
  readonly did: 'created' | 'changed'
  readonly text: string
  readonly lines: string
  readonly record: FileRecord
}

/** Puts in or corrects our part. The original text stays known as long as nobody else changes the file. */
export function planSetup(
  file: SetupFile,
  current: string | undefined,
  record: FileRecord | undefined,
): Plan {
  if (file.isOnce === true && current !== undefined) return { did: 'in_order' }
  const before = original(current, record)
  const isKnown = before !== CHANGED
  const base = isKnown ? before.text : current
  const edit = file.put(base)
  if ('refused' in edit) return { did: 'left', why: edit.refused }
  const text = applySplices(base ?? '', edit.splices)
  if (text === (current ?? '') && (current !== undefined || edit.splices.length === 0))
    return { did: current === undefined ? 'nothing' : 'in_order' }
  const isExact = isKnown || !hasOurs(file, base, record)
  return {
    did: current === undefined ? 'created' : 'changed',
    text,
    lines: edit.splices.map(({ inserted }) => (inserted === ',' ? '' : inserted)).join(''),
    record: {
      created: isExact ? base === undefined : (record?.created ?? false),
      hash: sha256(text),
      ...(isExact ? { splices: [...edit.splices] } : {}),
      made: [...(isExact ? [] : (record?.made ?? [])), ...edit.made].map((path) => [...path]),
    },
  }
}

const CHANGED = Symbol('changed since')

/** The text before our change, if the file is as we left it. */
function original(
  current: string | undefined,
  record: FileRecord | undefined,
): { readonly text: string | undefined } | typeof CHANGED {
  if (current === undefined || record?.splices === undefined || sha256(current) !== record.hash)
    return CHANGED
  if (record.created) return { text: undefined }
  const text = undoSplices(current, record.splices)
  return text === undefined ? CHANGED : { text }
}

function hasOurs(file: SetupFile, text: string | undefined, record: FileRecord | undefined): boolean {
  if (text === undefined) return false
  const strip = file.strip(text, record?.made)
  return 'refused' in strip || strip.splices.length > 0
}

/** Restores the original, byte for byte, if nobody else changed the file; otherwise removes our part. */
export function planRemoval(
  file: SetupFile,
  current: string | undefined,
  record: FileRecord | undefined,
): Plan {
  if (current === undefined) return { did: 'nothing' }
  const before = original(current, record)
  if (before !== CHANGED)
    return before.text === undefined
      ? { did: 'removed' }
      : { did: 'restored', text: before.text, lines: removedBy(record?.splices ?? [], true) }
  const edit = file.strip(current, record?.made)
  // A file that cannot be parsed, and that we never wrote, does not concern us.
  if ('refused' in edit)
    return record === undefined && !current.includes('cacp')
      ? { did: 'nothing' }
      : { did: 'left', why: edit.refused }
  if (edit.splices.length === 0) return { did: 'nothing' }
  const text = applySplices(current, edit.splices)
  const isOurs = file.isWhole === true || (record?.created ?? true)
  if (isOurs && file.isBlank(text)) return { did: 'removed' }
  return { did: 'stripped', text, lines: removedBy(edit.splices, false) }
}

const removedBy = (splices: readonly Splice[], isUndone: boolean): string =>
  splices.map(({ removed, inserted }) => (isUndone ? inserted : removed)).join('')
