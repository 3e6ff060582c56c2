import type { JsonObject } from '../json/json.ts'

/** The error codes of the Chiffon agent protocol 1.0: whether a sender retries, and the HTTP status. */
export const CHIFFON_ERRORS = {
  5001: { name: 'Timeout', retry: true, http: 503 },
  5002: { name: 'Agent Unavailable', retry: true, http: 503 },
  5003: { name: 'Invalid Message', retry: false, http: 400 },
  5004: { name: 'Authentication Failed', retry: false, http: 401 },
  5005: { name: 'Resource Limit Exceeded', retry: true, http: 429 },
  5006: { name: 'Unsupported Work Type', retry: false, http: 400 },
} as const satisfies Record<number, { name: string; retry: boolean; http: number }>

export type ChiffonCode = keyof typeof CHIFFON_ERRORS

/** The payload of a message of type `error`. Codes other than these six, up to 5999, are possible. */
export interface ChiffonError {
  readonly error_code: number
  readonly error_message: string
  readonly error_context: JsonObject
}

/** Unknown codes are not retried. */
export const isRetryable = (code: number): boolean =>
  Object.hasOwn(CHIFFON_ERRORS, code) && CHIFFON_ERRORS[code as ChiffonCode].retry

/** Failures that mean that an agent is not there; several in a row open the breaker. */
export const countsAsAbsent = (code: number): boolean => code === 5001 || code === 5002
