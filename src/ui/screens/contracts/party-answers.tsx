import { Icon } from '../../frame/icon.tsx'
import { Foreign } from '../../text/foreign.tsx'
import { visibleText } from '../../text/hidden.ts'
import { ANSWER_WORDS } from '../../text/words.ts'
import type { ContractRow } from './contracts.tsx'

const MOST_SHOWN = 6

/** Who has a say, and what each answered. */
export function PartyAnswers({ parties }: { readonly parties: NonNullable<ContractRow['parties']> }) {
  return (
    <ul class="answers">
      {parties.slice(0, MOST_SHOWN).map(({ repoId, repo, answer }) => {
        const said = ANSWER_WORDS[answer ?? 'silent']
        return (
          <li key={repoId} class={said.tone} title={`${visibleText(repo)}: ${said.word}`}>
            <Icon name={said.icon} />
            <span aria-hidden="true">
              <Foreign text={initials(repo)} />
            </span>
            <span class="visually-hidden">
              <Foreign text={repo} />: {said.word}
            </span>
          </li>
        )
      })}
      {parties.length > MOST_SHOWN && <li class="calm">+{parties.length - MOST_SHOWN}</li>}
    </ul>
  )
}

/** `ba` for `backend-api`: the first letters of its first two words. */
export function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? name)].slice(0, 2)
  return letters.join('').toUpperCase()
}
