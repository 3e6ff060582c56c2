import type { JsonObject } from '../../../src/protocol/json/json.ts'

/** A contract as agents write it, and what it may become. */
export const ME = {
  method: 'GET',
  path: '/users/me',
  response: { id: 'uuid', email: 'email', role: "'admin'|'user'" },
  errors: { 401: { message: 'string' } },
}
export const returning = (response: JsonObject) => ({ ...ME, response })
export const WITHOUT_EMAIL = returning({ id: 'uuid', role: "'admin'|'user'" })
export const WITH_OWNER = returning({ ...ME.response, role: "'admin'|'user'|'owner'" })
