import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { CallFault } from '../../call/fault.ts'
import { type StoredFile, storeFile } from '../../call/files.ts'
import { TextField } from '../../form/field.tsx'
import { Failed } from '../../frame/answer.tsx'
import { bytes as sizeOf } from '../../text/figures.ts'
import { PacketForm, type Talk } from './packet-form.tsx'

/** As much as the daemon takes. */
const MOST_BYTES = 10 * 1024 * 1024

/** Shares a file of this computer with the project. It is stored when it is chosen, and shared when the form is sent. */
export function ShareFileForm({ projectId, relatedContracts, replyTo, acted }: Talk) {
  const id = useId()
  const stored = useSignal<(StoredFile & { name: string; contentType: string }) | undefined>(undefined)
  const fault = useSignal<CallFault | undefined>(undefined)
  const problem = useSignal<string | undefined>('Choose a file')
  const purpose = useSignal('')
  const choose = async (file: File | undefined) => {
    stored.value = undefined
    fault.value = undefined
    problem.value =
      file === undefined
        ? 'Choose a file'
        : file.size > MOST_BYTES
          ? 'It is larger than 10 MiB'
          : 'Storing it…'
    if (file === undefined || file.size > MOST_BYTES) return
    const outcome = await storeFile(file)
    fault.value = outcome.ok ? undefined : outcome.fault
    problem.value = outcome.ok ? undefined : 'Choose a file'
    if (outcome.ok)
      stored.value = {
        ...outcome.result,
        name: file.name.slice(0, 200),
        contentType: file.type === '' ? 'application/octet-stream' : file.type,
      }
  }
  const { name = '', contentType = '', sha256 = '', size = 0 } = stored.value ?? {}
  return (
    <PacketForm
      method="cacp/file/share"
      title="Share a file"
      button="Share the file"
      did="Shared"
      problem={problem.value}
      params={{
        projectId,
        file: { name, contentType, sha256 },
        purpose: purpose.value,
        relatedContracts: [...relatedContracts],
        ...(replyTo === undefined ? {} : { replyTo }),
      }}
      acted={acted}
    >
      <div class="field">
        <label for={id}>File, up to 10 MiB</label>
        <input id={id} type="file" onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])} />
        {stored.value !== undefined && <p class="hint">{sizeOf(size)}, not shared yet</p>}
      </div>
      {fault.value !== undefined && <Failed fault={fault.value} />}
      <TextField label="What it is for" of={purpose} rows={2} />
    </PacketForm>
  )
}
