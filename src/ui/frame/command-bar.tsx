import { signal, useSignal } from '@preact/signals'
import { useCallback, useEffect } from 'preact/hooks'
import type { ResultOf } from '../../methods/table.ts'
import { useCall } from '../call/use-call.ts'
import { put } from '../put.ts'
import type { Destination } from '../router/route.ts'
import { go, project } from '../router/router.ts'
import { Quoted } from '../text/foreign.tsx'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import { useKey } from './keys.ts'
import { SCREENS } from './screens.ts'

const isOpen = signal(false)

export function openCommandBar(): void {
  isOpen.value = true
}

/** Search, and every screen, from the keyboard. */
export function CommandBar() {
  useKey('/', 'search', openCommandBar)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      isOpen.value = !isOpen.value
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return isOpen.value ? <OpenBar /> : null
}

interface Choice {
  readonly id: string
  readonly icon: IconName
  readonly word: string
  /** A name that others gave. */
  readonly name?: string
  readonly to: Destination
}

function OpenBar() {
  const words = useSignal('')
  const chosen = useSignal(0)
  const asked = words.value.trim()
  const { value, fault } = useCall(
    'cacp/search',
    asked === '' ? undefined : { query: asked.slice(0, 200), limit: 12, ...inProject(project.value) },
    { kinds: [] },
  )
  const close = useCallback(() => put(isOpen, false), [])
  const choices = [...screensCalled(asked), ...(value?.hits ?? []).map(hitChoice)]
  const at = Math.min(chosen.value, choices.length - 1)
  const take = (choice: Choice | undefined) => {
    if (choice === undefined) return
    close()
    go(choice.to)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') chosen.value = Math.min(at + 1, choices.length - 1)
    else if (event.key === 'ArrowUp') chosen.value = Math.max(at - 1, 0)
    else if (event.key === 'Enter') take(choices[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Search or go to" class="command" close={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Search or go to"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={choices[at] === undefined ? undefined : `choice-${at}`}
        placeholder="Contracts, questions, screens…"
        autocomplete="off"
        maxLength={200}
        value={words.value}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value
          chosen.value = 0
        }}
        onKeyDown={press}
      />
      <div id="choices" class="choices" role="listbox" aria-label="Results">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the keys of all options
          <div
            key={choice.id}
            id={`choice-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => take(choice)}
          >
            <Icon name={choice.icon} />
            <span>{choice.word}</span>
            {choice.name !== undefined && <Quoted text={choice.name} most={80} />}
          </div>
        ))}
      </div>
      {choices.length === 0 && (
        <p class="quiet" role="status">
          {fault === undefined ? 'Nothing has these words.' : fault.message}
        </p>
      )}
    </Dialog>
  )
}

const inProject = (id: string | undefined) => (id === undefined ? {} : { project: id })

function screensCalled(words: string): Choice[] {
  return SCREENS.filter(
    ({ key, title }) => key !== undefined && title.toLowerCase().startsWith(words.toLowerCase()),
  ).map(({ screen, title, icon }) => ({
    id: screen,
    icon,
    word: `Go to ${title}`,
    to: { screen, query: { project: project.value } },
  }))
}

type Hit = ResultOf<'cacp/search'>['hits'][number]

const HIT_WORDS = { contract: 'Contract', response: 'Answer to', context: 'Context:' } as const

function hitChoice({ kind, projectId, id, name, contractId = id }: Hit): Choice {
  return {
    id: `${kind} ${id}`,
    icon: kind === 'contract' ? 'contract' : 'message',
    word: HIT_WORDS[kind],
    name,
    to:
      kind === 'context'
        ? { screen: 'thread', ids: [projectId, id] }
        : { screen: 'contract', ids: [projectId, contractId] },
  }
}
