import { Icon } from '../frame/icon.tsx'
import { save } from './save.ts'

/** Saves a text as a file. */
export function DownloadButton({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <button
      type="button"
      class="small"
      onClick={() => save(new Blob([text], { type: 'application/json' }), name)}
    >
      <Icon name="down" />
      Download
    </button>
  )
}
