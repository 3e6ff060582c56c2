import type { JsonObject } from '../../protocol/json/json.ts'
import type { ErrorFacts } from '../coreason/errors.ts'

/** An error as a UserErrorEvent: what user interfaces of the wire format can show. */
export function userError({ message, code, domain, retryable, kind, details }: ErrorFacts): JsonObject {
  return {
    type: 'user_error',
    message,
    code,
    domain,
    retryable,
    kind,
    ...(Object.keys(details).length === 0 ? {} : { details }),
  }
}
