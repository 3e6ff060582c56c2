import type { Budget } from '../../budget.ts'
import type { Likely } from '../../model.ts'
import type { ProtoSchema } from './schema.ts'

/** Narrower and wider type of one encoding: what is sent as the first is read as the second. */
const WIDER: Record<string, readonly string[]> = {
  bool: ['int32', 'int64', 'uint32', 'uint64'],
  int32: ['int64'],
  uint32: ['uint64', 'int64'],
  sint32: ['sint64'],
  string: ['bytes'],
}
const GROUPS: readonly ReadonlySet<string>[] = [
  new Set(['int32', 'int64', 'uint32', 'uint64', 'bool']),
  new Set(['sint32', 'sint64']),
  new Set(['fixed32', 'sfixed32']),
  new Set(['fixed64', 'sfixed64']),
]

export interface BothSchemas {
  readonly schemas: readonly [ProtoSchema, ProtoSchema]
  readonly budget: Budget
}

/** Whether a type narrows and widens; undefined where both are read and written alike. */
export function typeLikelihood(
  was: string,
  is: string,
  context: BothSchemas,
): readonly [Likely, Likely] | undefined {
  const [before, after] = context.schemas
  if (was === is) return undefined
  if (WIDER[was]?.includes(is) === true) return ['no', 'yes']
  if (WIDER[is]?.includes(was) === true) return ['yes', 'no']
  if (GROUPS.some((group) => group.has(was) && group.has(is))) return ['unsure', 'unsure']
  const isEnum = before.enums.has(was) || after.enums.has(is)
  if (isEnum && (was === 'int32' || is === 'int32')) return ['unsure', 'unsure']
  return isSameShape(was, is, context, new Set()) ? undefined : ['yes', 'yes']
}

/** A message by another name is the same where every field is: names of messages are not sent. */
function isSameShape(was: string, is: string, context: BothSchemas, open: Set<string>): boolean {
  const [before, after] = context.schemas
  context.budget.spend()
  const [oldEnum, newEnum] = [before.enums.get(was), after.enums.get(is)]
  if (oldEnum !== undefined && newEnum !== undefined)
    return JSON.stringify([...oldEnum.values].sort()) === JSON.stringify([...newEnum.values].sort())
  const [old, now] = [before.messages.get(was), after.messages.get(is)]
  if (old === undefined || now === undefined) return was === is
  const key = `${was}>${is}`
  if (open.has(key)) return true
  open.add(key)
  if (old.fields.size !== now.fields.size) return false
  return [...old.fields].every(([number, field]) => {
    const other = now.fields.get(number)
    const isAlike =
      other !== undefined &&
      other.name === field.name &&
      other.label === field.label &&
      other.oneof === field.oneof
    return isAlike && isSameShape(field.type, other.type, context, open)
  })
}
