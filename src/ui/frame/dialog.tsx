import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { put } from '../put.ts'

interface DialogProps {
  readonly title: string
  readonly class?: string
  readonly children: ComponentChildren
  /** The word of the button that closes it; missing: the children have one. */
  readonly end?: string | undefined
  close(): void
}

/** Whether a dialog is open, for the component that it belongs to. */
export function useOpen() {
  const isOpen = useSignal(false)
  return { isOpen: isOpen.value, open: () => put(isOpen, true), close: () => put(isOpen, false) }
}

/** A dialog of the browser: it holds the focus, and Escape closes it. */
export function Dialog({ title, class: kind = '', children, end, close }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the next key can be pressed: it is meant for the dialog.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, and the browser listens for it
    <dialog
      ref={dialog}
      class={kind}
      aria-label={title}
      onClose={close}
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
    >
      <div class="dialog-body">
        {children}
        {end !== undefined && (
          <div class="buttons">
            <button type="button" class="main" onClick={close}>
              {end}
            </button>
          </div>
        )}
      </div>
    </dialog>
  )
}
