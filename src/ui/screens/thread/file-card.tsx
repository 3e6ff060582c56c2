import { useSignal } from '@preact/signals'
import type { CallFault } from '../../call/fault.ts'
import { fetchFile } from '../../call/files.ts'
import { save } from '../../form/save.ts'
import { Failed } from '../../frame/answer.tsx'
import { Icon } from '../../frame/icon.tsx'
import { isFields, type JsonValue } from '../../json/value.ts'
import { bytes as sizeOf } from '../../text/figures.ts'
import { Quoted } from '../../text/foreign.tsx'

interface SharedFile {
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** The file that a packet names; undefined: it names none. */
export function fileIn(value: JsonValue | undefined): SharedFile | undefined {
  if (!isFields(value)) return undefined
  const { name, size, sha256 } = value
  const isFile = typeof name === 'string' && typeof size === 'number' && typeof sha256 === 'string'
  return isFile && /^[0-9a-f]{64}$/.test(sha256) ? { name, size, sha256 } : undefined
}

/** A shared file. Its bytes are saved, never shown: what is in it is not ours. */
export function FileCard({ file: { name, size, sha256 } }: { readonly file: SharedFile }) {
  const fault = useSignal<CallFault | undefined>(undefined)
  const isFetching = useSignal(false)
  const fetch = async () => {
    isFetching.value = true
    const outcome = await fetchFile(sha256)
    isFetching.value = false
    fault.value = outcome.ok ? undefined : outcome.fault
    // The name is theirs; only its plain letters become the name of a file here.
    if (outcome.ok) save(outcome.result, name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 120))
  }
  return (
    <div class="file-card">
      <Icon name="file" />
      <span>
        <Quoted text={name} most={80} /> <span class="quiet">{sizeOf(size)}</span>
      </span>
      <button type="button" class="small" aria-busy={isFetching.value} onClick={() => void fetch()}>
        <Icon name="down" />
        {isFetching.value ? 'Fetching…' : 'Save'}
      </button>
      {fault.value !== undefined && <Failed fault={fault.value} />}
    </div>
  )
}
