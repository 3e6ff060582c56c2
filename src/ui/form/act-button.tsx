import { signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { MethodName, ParamsOf, ResultOf } from '../../methods/table.ts'
import { Dialog } from '../frame/dialog.tsx'
import { put } from '../put.ts'
import { route } from '../router/router.ts'
import { tellNews } from '../stream/bus.ts'
import { Foreign, Quoted } from '../text/foreign.tsx'
import { visibleText } from '../text/hidden.ts'
import { clockTime } from '../text/time.ts'
import { ActForm } from './act-form.tsx'
import { EXACT, LineField } from './field.tsx'
import { useAct } from './use-act.ts'

interface Asked<Name extends MethodName> {
  readonly method: Name
  readonly params: ParamsOf<Name>
  /** What is done, such as `Revoke`; the button in the dialog says so, too. */
  readonly verb: string
  /** The name of what it is done to. Both the button and the question name it. */
  readonly name: string
  /** Marks an act that takes something away. */
  readonly isGrave?: boolean
  /** Whether the name has to be typed first. */
  readonly isTyped?: boolean
  /** What it means, and what else there is to fill in. */
  readonly children?: ComponentChildren
  readonly problem?: string | undefined
  /** What is shown once it is done; default: when. */
  done?(result: ResultOf<Name>): ComponentChildren
}

interface ActButtonProps<Name extends MethodName> extends Asked<Name> {
  readonly isMain?: boolean
}

/** What is asked now. Not within its button, which may go when the act is done: the dialog stays, and says so. */
const question = signal<{ readonly of: object; readonly dialog: ComponentChildren } | undefined>(undefined)

/** The question that is open, wherever its button is. Who goes to another page takes it back. */
export function OpenQuestion() {
  const { value } = route
  useEffect(() => close, [value])
  return question.value?.dialog ?? null
}

function close(): void {
  question.value = undefined
}

/** A button for an act of the operator: it asks again, names the object, and shows the call. */
export function ActButton<Name extends MethodName>({ isMain = false, ...asked }: ActButtonProps<Name>) {
  const { current: self } = useRef({})
  const ask = () => put(question, { of: self, dialog: <Question {...asked} /> })
  // What is filled in while it is open belongs to the screen.
  useLayoutEffect(() => {
    if (question.peek()?.of === self) ask()
  })
  return (
    <button type="button" class={isMain ? 'main' : ''} onClick={ask}>
      {asked.verb}
      <span class="visually-hidden">
        {' '}
        <Foreign text={asked.name} />
      </span>
    </button>
  )
}

function Question<Name extends MethodName>(props: Asked<Name>) {
  const { method, params, verb, name, isGrave = false, isTyped = false, children, done } = props
  const act = useAct(method)
  const typed = useSignal('')
  const title = `${verb} ${visibleText(name)}?`
  const { state } = act
  // The quotes around it may be typed with it.
  const isMissing = isTyped && ![name, `«${name}»`].includes(typed.value.trim())
  return (
    <Dialog title={title} close={close} end={state.is === 'done' ? 'Close' : undefined}>
      <h2>
        {verb} <Quoted text={name} />
        {state.is === 'done' ? '' : '?'}
      </h2>
      {state.is === 'done' ? (
        <div role="status">{done?.(state.result) ?? <p>Done. On disk {clockTime(state.at)}.</p>}</div>
      ) : (
        <ActForm
          method={method}
          params={params}
          act={act}
          title={title}
          button={verb}
          isGrave={isGrave}
          problem={props.problem ?? (isMissing ? 'Type the name to go on.' : undefined)}
          done={() => tellNews({ changes: [], local: [], isEverything: true })}
          cancel={close}
        >
          {children}
          {isTyped && (
            <LineField
              label={
                <>
                  Type <Quoted text={name} /> to show that you mean it
                </>
              }
              of={typed}
              {...EXACT}
            />
          )}
        </ActForm>
      )}
    </Dialog>
  )
}
