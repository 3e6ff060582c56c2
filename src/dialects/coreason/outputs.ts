import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import { artifactShown, citationShown } from './presentation.ts'

/**
 * The result as the object that a capability promises in its `outputs`: of text, citations, artifacts and data
 * what it names, and the agent's own keys when it has no `data`. Without `properties` it is all of them.
 */
export function outputsOf(result: RunResult, outputs: JsonObject): JsonObject {
  const { properties } = outputs
  const { output, citations, artifacts } = result
  const told: JsonObject = {
    [textKey(outputs)]: result.text,
    ...(citations.length === 0 ? {} : { citations: citations.map(citationShown) }),
    ...(artifacts.length === 0 ? {} : { artifacts: artifacts.map(artifactShown) }),
    ...(output === null ? {} : { data: output }),
  }
  if (!isJsonObject(properties)) return told
  const named = Object.fromEntries(Object.entries(told).filter(([key]) => Object.hasOwn(properties, key)))
  return Object.hasOwn(properties, 'data') || !isJsonObject(output) ? named : { ...named, ...output }
}

/** Where the text goes: to `text`, or else to the first text that the outputs require, or else describe. */
function textKey({ properties, required }: JsonObject): string {
  if (!isJsonObject(properties) || Object.hasOwn(properties, 'text')) return 'text'
  const isText = (key: string): boolean =>
    isTextual(Object.hasOwn(properties, key) ? properties[key] : undefined)
  const wanted = Array.isArray(required) ? required.map(String).find(isText) : undefined
  return wanted ?? Object.keys(properties).find(isText) ?? 'text'
}

const isTextual = (schema: Json | undefined): boolean => isJsonObject(schema) && schema['type'] === 'string'
