import type { Likely } from '../model.ts'
import { wordSet } from '../word-set.ts'

const SPELLINGS: Record<string, string> = { datetime: 'date-time', url: 'uri', guid: 'uuid' }
/** What says how a value is shown or kept, and excludes nothing that JSON can carry. */
const SAYS_NOTHING = new Set(['password', 'int64', 'double', 'textarea', 'decimal'])
const OF_NUMBERS = wordSet('int8 int16 int32 int64 uint8 uint16 uint32 float double')

/** Formats whose values are all values of the other format too. */
const PART_OF: Record<string, readonly string[]> = {
  int8: ['int16', 'int32'],
  int16: ['int32'],
  uint8: ['int16', 'int32', 'uint16', 'uint32'],
  uint16: ['int32', 'uint32'],
  uri: ['uri-reference', 'iri', 'iri-reference'],
  'uri-reference': ['iri-reference'],
  iri: ['iri-reference'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
}

/** Those of which everybody knows what they exclude. */
const KNOWN = new Set([
  ...Object.keys(PART_OF),
  ...Object.values(PART_OF).flat(),
  ...['float', 'date', 'time', 'date-time', 'duration', 'uuid', 'ipv4', 'ipv6', 'byte', 'binary'],
  ...['json-pointer', 'relative-json-pointer', 'regex', 'uri-template', 'base64'],
])

/** Undefined of one that excludes nothing. */
export function normalFormat(format: string): string | undefined {
  const name = format.toLowerCase()
  const spelled = SPELLINGS[name] ?? name
  return SAYS_NOTHING.has(spelled) || spelled === '' ? undefined : spelled
}

export const isOfNumbers = (format: string): boolean => OF_NUMBERS.has(format.toLowerCase())

/** Whether values of the first formats may be none of the second ones. */
export function formatNarrows(before: readonly string[], after: readonly string[]): Likely {
  const demanded = after.filter((format) => !before.some((had) => isPartOf(had, format)))
  if (demanded.length === 0) return 'no'
  return [...demanded, ...before].every((format) => KNOWN.has(format)) ? 'yes' : 'unsure'
}

const isPartOf = (inner: string, outer: string): boolean =>
  inner === outer || (PART_OF[inner]?.includes(outer) ?? false)
