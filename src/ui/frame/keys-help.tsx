import { useSignal } from '@preact/signals'
import { useCallback } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { activeKeys, keysOn, useKey } from './keys.ts'

/** The keys that work here and now. */
export function KeysHelp() {
  const isOpen = useSignal(false)
  useKey(
    '?',
    'show the keys that work here',
    useCallback(() => {
      isOpen.value = !isOpen.value
    }, [isOpen]),
  )
  if (!isOpen.value) return null
  const close = () => {
    isOpen.value = false
  }
  return (
    <Dialog title="Keys" close={close}>
      <h2>Keys that work here</h2>
      <dl class="keys">
        {activeKeys.value.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key === 'Escape' ? 'Esc' : key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Ctrl</kbd>
            <kbd>K</kbd>
          </dt>
          <dd>search, and go anywhere</dd>
        </div>
        <div>
          <dt>
            <kbd>Ctrl</kbd>
            <kbd>Enter</kbd>
          </dt>
          <dd>send the form that is being written</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>close what is open</dd>
        </div>
      </dl>
      <label class="choice">
        <input
          type="checkbox"
          checked={keysOn.value === 'on'}
          onChange={({ currentTarget }) => {
            keysOn.value = currentTarget.checked ? 'on' : 'off'
          }}
        />
        Single keys are on
      </label>
      <div class="buttons">
        <button type="button" class="main" onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
