import type { Said } from '../text/words.ts'
import { Icon } from './icon.tsx'

/** A state: by word, sign and colour. */
export function Tag({ said, note }: { readonly said: Said; readonly note?: string | undefined }) {
  return (
    <span class={`tag ${said.tone}`} title={note}>
      <Icon name={said.icon} />
      {said.word}
    </span>
  )
}
