import type { Json } from '../../../../src/protocol/json/json.ts'

/** A step of an edit. Places are keys with a blank between them: `paths /pets get responses 200`. */
export type Step =
  | readonly ['set' | 'push', place: string, value: Json]
  | readonly ['delete', place: string]
  | readonly ['move' | 'copy', from: string, to: string]

type Editable = Record<string, unknown>

export function applied(document: Json, steps: readonly Step[]): Json {
  const made = structuredClone(document) as Editable
  for (const step of steps) apply(made, step)
  return made as Json
}

function apply(document: Editable, step: Step): void {
  const [object, key] = holder(document, step[1])
  switch (step[0]) {
    case 'set':
      object[key] = structuredClone(step[2])
      break
    case 'push':
      ;(object[key] as Json[]).push(structuredClone(step[2]))
      break
    case 'delete':
      delete object[key]
      break
    default: {
      const [to, name] = holder(document, step[2])
      to[name] = structuredClone(object[key])
      if (step[0] === 'move') delete object[key]
    }
  }
}

function holder(document: Editable, place: string): [Editable, string] {
  const keys = place.split(' ')
  const last = keys.pop() ?? ''
  return [keys.reduce((object, key) => object[key] as Editable, document), last]
}
