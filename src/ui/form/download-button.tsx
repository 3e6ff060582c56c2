import { Icon } from '../frame/icon.tsx'

/** Saves a text as a file. */
export function DownloadButton({ text, name }: { readonly text: string; readonly name: string }) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = address
    link.download = name
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <button type="button" class="small" onClick={save}>
      <Icon name="down" />
      Download
    </button>
  )
}
