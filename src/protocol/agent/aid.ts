import * as z from 'zod'
import { MAX_AID } from './is-agent-id.ts'

/** ADP's Agent ID: `aid://domain/name@1.2.3`, the name in lower case with single hyphens, no port. */
const AID =
  /^aid:\/\/[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\/[a-z0-9]+(?:-[a-z0-9]+)*@\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

export const Aid = z.string().max(MAX_AID).regex(AID, 'must look like aid://example.com/backend-agent@1.0.0')

export const isAid = (text: string): boolean => text.length <= MAX_AID && AID.test(text)

/** Turns a host or repository name into the part of an AID it can be. */
export function aidName(text: string, fallback: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '')
  return name === '' ? fallback : name
}
