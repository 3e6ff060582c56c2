import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly class?: string
  readonly children: ComponentChildren
  close(): void
}

/** A dialog of the browser: it holds the focus, and Escape closes it. */
export function Dialog({ title, class: kind = '', children, close }: DialogProps) {
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
      <div class="dialog-body">{children}</div>
    </dialog>
  )
}
