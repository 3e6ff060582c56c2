import { useSignal } from '@preact/signals'
import { Tick } from '../form/choice.tsx'
import { put } from '../put.ts'
import { Dialog } from './dialog.tsx'
import { activeKeys, keysOn, useKey } from './keys.ts'

/** The keys that work here and now. */
export function KeysHelp() {
  const isOpen = useSignal(false)
  useKey('?', 'show the keys that work here', () => put(isOpen, !isOpen.value))
  if (!isOpen.value) return null
  return (
    <Dialog title="Keys" close={() => put(isOpen, false)} end="Done">
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
      <Tick isOn={keysOn.value === 'on'} turn={(isOn) => put(keysOn, isOn ? 'on' : 'off')}>
        Single keys are on
      </Tick>
    </Dialog>
  )
}
