import type { Change, Difference, Sender } from '../model.ts'
import { quoted, shown, shownValue } from './shown.ts'

type Told = Omit<Difference, 'path'> & Pick<Change, 'at' | 'sender'>

/** What a change is in one plain sentence, for people and agents who have not seen either version. */
export function sentenceOf(change: Told): string {
  const tell = SENTENCES[change.kind]
  return tell === undefined ? constraintSentence(change) : tell(nameOf(change.at), change)
}

type Tell = (name: string, change: Told) => string

const VERBS: Record<Sender, { is: string; may: string }> = {
  consumer: { is: 'taken', may: 'be sent' },
  provider: { is: 'returned', may: 'arrive' },
  both: { is: 'part of it', may: 'be there' },
}

const SENTENCES: Record<string, Tell> = {
  'property-removed': (name, { sender }) => `${name} is not ${VERBS[sender].is} any more`,
  'property-added': (name) => `${name} is new and optional`,
  'required-property-added': (name, { sender }) =>
    sender === 'provider' ? `${name} is new and always there` : `${name} is new and required`,
  'property-became-required': (name, { sender }) =>
    sender === 'provider' ? `${name} is always there now` : `${name} is required now`,
  'property-became-optional': (name, { sender }) =>
    sender === 'consumer' ? `${name} may be left out now` : `${name} may be missing now`,
  'type-changed': (name, { before, after }) =>
    `${name} was ${shownValue(before)} and is ${shownValue(after)} now`,
  'type-removed': (name, { before, after }) =>
    `${name} was ${shownValue(before)} and is only ${shownValue(after)} now`,
  'type-added': (name, { before, after }) =>
    `${name} was ${shownValue(before)} and may be ${shownValue(after)} now`,
  'null-added': (name) => `${name} may be null now`,
  'null-removed': (name) => `${name} may not be null any more`,
  'enum-value-removed': (name, change) => `${name} does not take ${wasIn(change)} any more`,
  'enum-value-added': (name, change) => `${name} may be ${isIn(change)} now`,
  'enum-added': (name, change) => `${name} is limited to ${isIn(change)} now`,
  'enum-removed': (name, change) => `${name} is not limited to ${wasIn(change)} any more`,
  'branch-removed': (name, change) => `${name} may not be ${wasIn(change)} any more`,
  'branch-added': (name, change) => `${name} may be ${isIn(change)} now`,
  'branches-regrouped': (name) => `${name} has other branches for the same values`,
  'branches-overlap': (name) => `${name} must fit one branch alone, and branches that changed may overlap`,
  'default-changed': (name, { before, after }) =>
    `${name} stands for ${quoted(after)} when it is left out, before it was ${quoted(before)}`,
  'element-added': (name) => `${name} may have more elements now`,
  'element-removed': (name) => `${name} may not have more elements any more`,
  'other-properties-opened': (name) => `${name} may have undeclared properties now`,
  'other-properties-closed': (name) => `${name} may not have undeclared properties any more`,
  'other-properties-typed': (name) => `undeclared properties of ${name} have a type now`,
  'other-properties-untyped': (name) => `undeclared properties of ${name} may be anything now`,
  'not-understood': (name, { before, after }) =>
    `${name} is not understood: ${quoted(before)} became ${quoted(after)}`,
  'not-looked-at': (name) => `${name} differs, and what it means is not understood`,
  'definition-removed': (name, { before }) => `${shownValue(before)} ${name} is gone`,
  'definition-added': (name, { after }) => `${shownValue(after)} ${name} is new`,
  'field-removed-unreserved': (name, { before }) =>
    `${name} (${shownValue(before)}) is gone and its number is not reserved: it may come back as something else`,
  'reserved-number-used': (name, { after }) =>
    `${name} (${shownValue(after)}) uses a number that was reserved`,
  'field-renamed': (name, { before, after }) =>
    `${name} was called ${shownValue(before)} and is ${shownValue(after)} now, which JSON shows`,
  'options-changed': (name, { before, after }) =>
    `the options of ${name} were ${shownValue(before || 'none')} and are ${shownValue(after || 'none')} now, and what they mean is not known`,
  'note-changed': (name, { before, after }) =>
    `the note beside ${name} was ${quoted(before)} and is ${quoted(after)}`,
  'more-changes': (name) => `${name} has more changes than are told`,
  'too-large': (name) => `${name} is too large to be compared to the end`,
  'form-changed': (_, { before, after }) => `it was ${shownValue(before)} and is ${shownValue(after)} now`,
  'contract-ended': () => 'the contract is to end, and nothing of it stays',
  'operation-removed': (_, { before, beforeWords }) => `${beforeWords ?? shownValue(before)} is gone`,
  'operation-added': (_, { after, afterWords }) => `${afterWords ?? shownValue(after)} is new`,
  'operation-changed': (_, { before, after }) => `${shownValue(before)} became ${shownValue(after)}`,
  'slot-removed': (name, { sender }) => `${name} is not ${VERBS[sender].is} any more`,
  'slot-added': (name) => `${name} is new`,
  'required-slot-added': (name) => `${name} is new and required`,
  'slot-became-required': (name) => `${name} is required now`,
  'slot-became-optional': (name) => `${name} may be left out now`,
  'media-type-removed': (name) => `${name} is not offered any more`,
  'status-removed': (name) => `status ${name} is not answered any more`,
  'status-added': (name) => `status ${name} is a new answer`,
  described: (name) => `what ${name} holds is described now`,
  undescribed: (name) => `what ${name} holds is not described any more`,
}

/** What it was and what it is, in the words for it or as it was written. */
const wasIn = ({ before, beforeWords }: Told): string => beforeWords ?? quoted(before)
const isIn = ({ after, afterWords }: Told): string => afterWords ?? quoted(after)

/** Constraints go by their keyword: `maxLength-narrowed`. */
function constraintSentence(change: Told): string {
  const { kind, at } = change
  const [keyword = kind, way] = kind.split(/-(?=narrowed$|widened$|changed$)/)
  if (way === undefined) return `${nameOf(at)}: ${kind.replaceAll('-', ' ')}`
  const word = way === 'narrowed' ? 'stricter' : way === 'widened' ? 'looser' : 'another'
  return `${keyword} of ${nameOf(at)} is ${word} now${valuesText(change)}`
}

function valuesText(change: Told): string {
  const { before, after } = change
  if (before === undefined)
    return after === undefined ? '' : `: there was none, and it is ${isIn(change)} now`
  return after === undefined
    ? `: it was ${wasIn(change)}, and there is none now`
    : `: ${wasIn(change)} became ${isIn(change)}`
}

/** The last piece of a place that is a name. */
function nameOf(at: string): string {
  const place = at.slice(at.indexOf(': ') === -1 ? 0 : at.indexOf(': ') + 2)
  const name = place.slice(0, endOfName(place))
  const last = name.slice(name.lastIndexOf('.') + 1)
  return `«${shown(last === '' || last === 'body' ? place || 'it' : last)}»`
}

/** Where a place ends without the steps into lists and maps behind its last name. */
function endOfName(place: string): number {
  let end = place.length
  for (;;) {
    const open = place.endsWith(']', end) ? place.lastIndexOf('[', end - 1) : -1
    if (place.endsWith('.*', end)) end -= 2
    else if (open !== -1 && /^\d*$/.test(place.slice(open + 1, end - 1))) end = open
    else return end
  }
}
