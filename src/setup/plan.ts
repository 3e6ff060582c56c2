import { sha256 } from '../protocol/text/sha256.ts'
import type { SetupFile } from './edit.ts'
import type { FileRecord } from './record.ts'
import { applySplices, type Splice, undoSplices } from './splice.ts'

/** What to do with one file. */
export type Plan =
  | { readonly kind: 'in_order' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'write'; readonly text: string; readonly record: FileRecord; readonly shown: string }

/** Puts in or corrects our part. The original text stays known as long as nobody else changes the file. */
export function planSetup(
  file: SetupFile,
  current: string | undefined,
  record: FileRecord | undefined,
): Plan {
  if (file.isOnce === true && current !== undefined) return { kind: 'in_order' }
  const before = original(current, record)
  const isKnown = before !== CHANGED
  const base = isKnown ? before.text : current
  const edit = file.put(base)
  if ('refused' in edit) return { kind: 'refused', reason: edit.refused }
  const text = applySplices(base ?? '', edit.splices)
  if (text === (current ?? '') && (current !== undefined || edit.splices.length === 0))
    return { kind: 'in_order' }
  const isExact = isKnown || !hasOurs(file, base, record)
  return {
    kind: 'write',
    text,
    shown: edit.splices.map(({ inserted }) => (inserted === ',' ? '' : inserted)).join(''),
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

export type RemovalPlan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** `isExact`: the result is the original, byte for byte; otherwise only our part was found and removed. */
  | { readonly kind: 'write'; readonly text: string; readonly isExact: boolean; readonly shown: string }
  | { readonly kind: 'delete'; readonly isExact: boolean }

/** Restores the original, byte for byte, if nobody else changed the file; otherwise removes our part. */
export function planRemoval(
  file: SetupFile,
  current: string | undefined,
  record: FileRecord | undefined,
): RemovalPlan {
  if (current === undefined) return { kind: 'nothing' }
  const before = original(current, record)
  if (before !== CHANGED)
    return before.text === undefined
      ? { kind: 'delete', isExact: true }
      : { kind: 'write', text: before.text, isExact: true, shown: removedBy(record?.splices ?? [], true) }
  const edit = file.strip(current, record?.made)
  // A file that cannot be parsed, and that we never wrote, does not concern us.
  if ('refused' in edit)
    return record === undefined && !current.includes('cacp')
      ? { kind: 'nothing' }
      : { kind: 'refused', reason: edit.refused }
  if (edit.splices.length === 0) return { kind: 'nothing' }
  const text = applySplices(current, edit.splices)
  const isOurs = file.isWhole || (record?.created ?? true)
  if (isOurs && file.isBlank(text)) return { kind: 'delete', isExact: false }
  return { kind: 'write', text, isExact: false, shown: removedBy(edit.splices, false) }
}

const removedBy = (splices: readonly Splice[], isUndone: boolean): string =>
  splices.map(({ removed, inserted }) => (isUndone ? inserted : removed)).join('')
