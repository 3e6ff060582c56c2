import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { MethodName, ParamsOf } from '../../methods/table.ts'
import { UNREACHABLE } from '../call/fault.ts'
import { Failed } from '../frame/answer.tsx'
import { connection } from '../stream/bus.ts'
import { CallPreview } from './call-preview.tsx'
import type { Act } from './use-act.ts'

interface ActFormProps<Name extends MethodName> {
  readonly method: Name
  readonly params: ParamsOf<Name>
  readonly act: Act<Name>
  /** Of the form, for those who hear the page. */
  readonly title: string
  /** Of the button, such as `Send the answer`. */
  readonly button: string
  /** What has to be mended before it can be sent; undefined: nothing. */
  readonly problem?: string | undefined
  /** Marks an act that takes something away. */
  readonly isGrave?: boolean
  readonly children?: ComponentChildren
  /** Called after the daemon has it on disk. */
  done?(): void
  /** Called after the daemon refused it: what is shown may be older than what is there. */
  refused?(): void
  cancel?(): void
}

/** A form that makes one call, shows which, and waits for the daemon's answer. */
export function ActForm<Name extends MethodName>(props: ActFormProps<Name>) {
  const { method, params, act, title, button, problem, isGrave, children, done, refused, cancel } = props
  const { state } = act
  const form = useRef<HTMLFormElement>(null)
  const { is } = connection.value
  // The daemon is there again; what else it said stays until something is written.
  useEffect(() => {
    if (is === 'live' && state.is === 'failed' && state.fault === UNREACHABLE) act.reset()
  }, [is])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (problem !== undefined) return
    const { is } = await act.send(params)
    if (is === 'done') done?.()
    if (is === 'failed') refused?.()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      form.current?.requestSubmit()
    } else if (event.key === 'Escape' && cancel !== undefined) {
      event.stopPropagation()
      cancel()
    }
  }
  const isSending = state.is === 'sending'
  return (
    <form
      ref={form}
      class="act"
      aria-label={title}
      onSubmit={(event) => void submit(event)}
      onInput={() => state.is === 'failed' && act.reset()}
      onKeyDown={press}
    >
      {children}
      {state.is === 'failed' && <Failed fault={state.fault} />}
      {problem !== undefined && <p class="problem">{problem}</p>}
      <div class="buttons">
        {cancel !== undefined && (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        )}
        <button
          type="submit"
          class={isGrave ? 'grave' : 'main'}
          aria-busy={isSending}
          aria-disabled={isSending || problem !== undefined}
        >
          {isSending ? 'Sending…' : button}
        </button>
      </div>
      <CallPreview call={{ method, params }} />
    </form>
  )
}
