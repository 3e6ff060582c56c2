import { keysOn } from './keys.ts'

/** The key beside a button that does the same; for the eyes only, since the list of keys says it in words. */
export function KeyHint({ of }: { readonly of: string }) {
  if (keysOn.value !== 'on') return null
  return (
    <span class="key-hint" aria-hidden="true">
      {of}
    </span>
  )
}
