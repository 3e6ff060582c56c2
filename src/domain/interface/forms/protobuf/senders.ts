import type { Sender } from '../../model.ts'
import type { ProtoSchema } from './schema.ts'

/** Who sends each message and enum, by the calls that lead to it; both where none does. */
export function sendersOf(...schemas: readonly ProtoSchema[]): (name: string) => Sender {
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
