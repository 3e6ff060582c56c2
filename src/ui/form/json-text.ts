import { isFields, type JsonFields, type JsonValue } from '../json/value.ts'

/** A JSON object that somebody writes, or what is wrong with it. */
export type WrittenJson =
  | { readonly value: JsonFields; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string }

export function readJsonText(text: string): WrittenJson {
  try {
    const value = JSON.parse(text) as JsonValue
    return isFields(value) ? { value } : { problem: 'It has to be a JSON object: { … }' }
  } catch (error) {
    return { problem: `This is no JSON yet: ${error instanceof Error ? error.message : 'it cannot be read'}` }
  }
}
