import { useSignal } from '@preact/signals'
import { Icon } from '../frame/icon.tsx'

/** Copies a text, and says that it did. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const said = useSignal('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      said.value = 'Copied'
    } catch {
      said.value = 'Not copied: select it, and copy it by keyboard'
    }
  }
  return (
    <span class="copy">
      <button type="button" class="small" onClick={() => void copy()}>
        <Icon name="copy" />
        Copy<span class="visually-hidden"> {what}</span>
      </button>
      <span role="status">{said}</span>
    </span>
  )
}
