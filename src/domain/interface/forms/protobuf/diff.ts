import { change, type Telling, unsure } from '../../difference.ts'
import type { Difference, Likely, Sender } from '../../model.ts'
import {
  isReserved,
  type ProtoEnum,
  type ProtoField,
  type ProtoMessage,
  type ProtoSchema,
  type WithOptions,
} from './schema.ts'
import { type BothSchemas, typeLikelihood } from './wire.ts'

/**
 * Changes of a proto text. Fields go by number, for that is what is sent; what they are called matters to those who use
 * the JSON of them. A number that is free again may come back as something else.
 */
export function diffProto(before: ProtoSchema, after: ProtoSchema, { tell, budget }: Telling): void {
  const sender = sendersOf(before, after)
  const both: BothSchemas = { schemas: [before, after], budget }
  const packages = { before: before.packageName, after: after.packageName }
  const likely: Likely = before.calls.size > 0 ? 'yes' : 'depends'
  if (packages.before !== packages.after)
    tell(change('package-changed', likely, 'no', packages), 'package', 'consumer')
  const syntaxes = { before: before.syntax, after: after.syntax }
  if (syntaxes.before !== syntaxes.after) tell(unsure('syntax-changed', syntaxes), 'syntax', 'both')
  diffOptions(before, after, (found) => tell(found, 'options', 'both'))
  for (const [name, old] of before.messages) {
    const now = after.messages.get(name)
    if (now === undefined)
      tell(change('definition-removed', 'yes', 'yes', { before: 'message' }), name, sender(name))
    else diffMessage(name, [old, now], { ...both, tell: (found, at) => tell(found, at, sender(name)) })
  }
  for (const name of after.messages.keys())
    if (!before.messages.has(name))
      tell(change('definition-added', 'no', 'no', { after: 'message' }), name, sender(name))
  for (const [name, old] of before.enums) {
    const now = after.enums.get(name)
    if (now === undefined)
      tell(change('definition-removed', 'yes', 'yes', { before: 'enum' }), name, sender(name))
    else diffEnum(name, [old, now], (found, at) => tell(found, at, sender(name)))
  }
  diffCalls(before, after, { tell, budget })
}

interface InMessage extends BothSchemas {
  readonly tell: (found: Difference, at: string) => void
}

/** What options of others mean is not known; a change of them leaves the verdict open. */
function diffOptions(was: WithOptions, is: WithOptions, tell: (found: Difference) => void): void {
  if (was.options !== is.options) tell(unsure('options-changed', { before: was.options, after: is.options }))
}

function diffMessage(
  name: string,
  [old, now]: readonly [ProtoMessage, ProtoMessage],
  context: InMessage,
): void {
  const { tell, budget } = context
  diffOptions(old, now, (found) => tell(found, name))
  for (const [number, was] of old.fields) {
    budget.spend()
    const is = now.fields.get(number)
    const at = `${name}.${was.name}`
    const gone = { before: was.type, tolerance: 'missing_optional' } as const
    if (is !== undefined) diffField(at, [was, is], context)
    else if (!isReserved(now.reserved, number))
      tell(change('field-removed-unreserved', 'yes', 'yes', { before: `${was.type} = ${number}` }), at)
    else tell(change('property-removed', 'depends', was.label === 'required' ? 'yes' : 'depends', gone), at)
  }
  for (const [number, is] of now.fields) {
    if (old.fields.has(number)) continue
    const at = `${name}.${is.name}`
    const told = { after: `${is.type} = ${number}` }
    if (isReserved(old.reserved, number)) tell(change('reserved-number-used', 'yes', 'yes', told), at)
    else if (is.label === 'required') tell(change('required-property-added', 'yes', 'no', told), at)
    else tell(change('property-added', 'no', 'no', told), at)
  }
}

function diffField(
  at: string,
  [was, is]: readonly [ProtoField, ProtoField],
  { tell, ...both }: InMessage,
): void {
  diffOptions(was, is, (found) => tell(found, at))
  if (was.name !== is.name || was.jsonName !== is.jsonName)
    tell(change('field-renamed', 'depends', 'depends', { before: was.jsonName, after: is.jsonName }), at)
  const found = typeChange(was.type, is.type, both)
  if (found !== undefined) tell(found, at)
  const [many, single] = [was.label === 'repeated', is.label === 'repeated']
  if (many !== single) tell(change('label-changed', 'yes', 'yes', { before: was.label, after: is.label }), at)
  if (was.label !== 'required' && is.label === 'required')
    tell(change('property-became-required', 'yes', 'no'), at)
  if (was.label === 'required' && is.label !== 'required')
    tell(change('property-became-optional', 'no', 'yes', { tolerance: 'missing_optional' }), at)
  if (was.oneof !== is.oneof)
    tell(change('oneof-changed', 'yes', 'yes', { before: was.oneof, after: is.oneof }), at)
}

function diffEnum(name: string, [old, now]: readonly [ProtoEnum, ProtoEnum], tell: InMessage['tell']): void {
  diffOptions(old, now, (found) => tell(found, name))
  for (const [number, was] of old.values) {
    const is = now.values.get(number)
    const at = `${name}.${was}`
    if (is === undefined) {
      const [narrows, widens] = isReserved(now.reserved, number) ? KEPT : LOST
      tell(change('enum-value-removed', narrows, widens, { before: [was] }), at)
    } else if (is !== was) tell(change('field-renamed', 'depends', 'depends', { before: was, after: is }), at)
  }
  for (const [number, is] of now.values) {
    const added = { after: [is], tolerance: 'new_enum_values' } as const
    if (!old.values.has(number)) tell(change('enum-value-added', 'no', 'depends', added), `${name}.${is}`)
  }
}

/** What the number of a value that is gone may mean later. */
const [KEPT, LOST] = [['depends', 'no'] as const, ['yes', 'yes'] as const]

function diffCalls(before: ProtoSchema, after: ProtoSchema, { tell, budget }: Telling): void {
  for (const [name, was] of before.calls) {
    const is = after.calls.get(name)
    if (is === undefined) {
      tell(change('operation-removed', 'yes', 'no', { before: name }), name, 'consumer')
      continue
    }
    diffOptions(was, is, (found) => tell(found, name, 'both'))
    if (was.streams !== is.streams)
      tell(change('stream-changed', 'yes', 'yes', { before: was.streams, after: is.streams }), name, 'both')
    for (const part of ['request', 'response'] as const) {
      const found = typeChange(was[part], is[part], { schemas: [before, after], budget })
      if (found !== undefined) tell(found, `${name}.${part}`, SENDERS[part])
    }
  }
  for (const name of after.calls.keys())
    if (!before.calls.has(name))
      tell(change('operation-added', 'no', 'yes', { after: name }), name, 'consumer')
}

const SENDERS = { request: 'consumer', response: 'provider' } as const

function typeChange(before: string, after: string, both: BothSchemas): Difference | undefined {
  const likely = typeLikelihood(before, after, both)
  return likely && change('type-changed', likely[0], likely[1], { before, after })
}

/** Who sends each message and enum, by the calls that lead to it; both where none does. */
function sendersOf(...schemas: readonly ProtoSchema[]): (name: string) => Sender {
  const asked = new Set<string>()
  const answered = new Set<string>()
  for (const schema of schemas)
    for (const { request, response } of schema.calls.values()) {
      reach(request, schema, asked)
      reach(response, schema, answered)
    }
  return (name) => {
    if (asked.has(name) === answered.has(name)) return 'both'
    return asked.has(name) ? 'consumer' : 'provider'
  }
}

function reach(start: string, { messages }: ProtoSchema, found: Set<string>): void {
  const open = [start]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    for (const { type } of messages.get(name)?.fields.values() ?? [])
      open.push(/^map<.+, (.+)>$/.exec(type)?.[1] ?? type)
  }
}
