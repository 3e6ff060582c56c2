import { signal, useSignal } from '@preact/signals'
import { Choice, Tick } from '../form/choice.tsx'
import { put } from '../put.ts'
import { logOut, session } from '../session/session.ts'
import { Dialog } from './dialog.tsx'
import { keysOn } from './keys.ts'
import { allowNotices, canNotify, noticesOn } from './notices.ts'
import { type Theme, theme } from './theme.ts'

const isOpen = signal(false)

export function openPreferences(): void {
  isOpen.value = true
}

const THEMES: readonly { value: Theme; word: string }[] = [
  { value: 'system', word: 'As the system' },
  { value: 'light', word: 'Light' },
  { value: 'dark', word: 'Dark' },
]

export function Preferences() {
  if (!isOpen.value) return null
  const close = () => put(isOpen, false)
  return (
    <Dialog title="Preferences" close={close}>
      <h2>Preferences</h2>
      <fieldset>
        <legend>Colours</legend>
        {THEMES.map(({ value, word }) => (
          <Choice key={value} name="theme" of={theme} value={value}>
            {word}
          </Choice>
        ))}
      </fieldset>
      <fieldset>
        <legend>Keyboard</legend>
        <Tick isOn={keysOn.value === 'on'} turn={(isOn) => put(keysOn, isOn ? 'on' : 'off')}>
          Single keys go to screens and open forms
        </Tick>
      </fieldset>
      <NoticeChoice />
      <p class="quiet">
        cacpd {session.value?.version}, session {session.value?.sessionId}
      </p>
      <div class="buttons">
        <button type="button" onClick={() => void logOut()}>
          Log out
        </button>
        <button type="button" class="main" onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  )
}

function NoticeChoice() {
  const problem = useSignal<string | undefined>(undefined)
  const choose = async (isWanted: boolean) => {
    problem.value = isWanted ? await allowNotices() : undefined
    noticesOn.value = isWanted && problem.value === undefined ? 'on' : 'off'
  }
  return (
    <fieldset>
      <legend>Notifications</legend>
      <Tick
        isOn={noticesOn.value === 'on'}
        isDisabled={!canNotify()}
        turn={(isWanted) => void choose(isWanted)}
      >
        Tell me what only a person can do, also while this page is hidden
      </Tick>
      {problem.value !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
