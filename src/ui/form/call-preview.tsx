import { useSignal } from '@preact/signals'
import { ROOT } from '../place.ts'
import { put } from '../put.ts'
import { CodeLines } from '../text/prose.tsx'
import { asCommand, asCurl, asJsonRpc, type MadeCall } from './call-text.ts'
import { CopyButton } from './copy-button.tsx'

const FORMS = [
  { name: 'JSON-RPC', write: asJsonRpc },
  { name: 'cacpd', write: asCommand },
  { name: 'curl', write: (call: MadeCall) => asCurl(call, ROOT) },
] as const

/** The call that a form makes, word for word. */
export function CallPreview({ call, isOpen: isOpenAtFirst = false }: { call: MadeCall; isOpen?: boolean }) {
  const isOpen = useSignal(isOpenAtFirst)
  const form = useSignal<(typeof FORMS)[number]['name']>('JSON-RPC')
  const text = isOpen.value ? (FORMS.find(({ name }) => name === form.value) ?? FORMS[0]).write(call) : ''
  return (
    <details
      class="call-preview"
      open={isOpen.value}
      onToggle={({ currentTarget }) => put(isOpen, currentTarget.open)}
    >
      <summary>The call this makes</summary>
      {isOpen.value && (
        <>
          <div class="call-forms">
            {FORMS.map(({ name }) => (
              <button
                key={name}
                type="button"
                class="small"
                aria-pressed={form.value === name}
                onClick={() => put(form, name)}
              >
                {name}
              </button>
            ))}
            <CopyButton text={text} what="the call" />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by keyboard */}
          <pre tabIndex={0}>
            <code>
              <CodeLines text={text} />
            </code>
          </pre>
        </>
      )}
    </details>
  )
}
