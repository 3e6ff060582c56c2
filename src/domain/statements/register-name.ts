import * as z from 'zod'
import type { JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Kind } from './kind.ts'

/**
 * In the body of a statement that is of a register: the name of that register among those of its kind, author and
 * entity; empty where there is one alone. All daemons so keep the newest statement and no other, whether they know the
 * kind or not, and stay equal.
 */
const RegisterName = z.string().max(LIMITS.nameLength)

export const namesRegister = { register: RegisterName }

/** The register that a body names; undefined: it is a fact. */
export const registerSaidIn = ({ register }: JsonObject): string | undefined =>
  typeof register === 'string' ? register : undefined

/** What is wrong with what a statement says about its family; judged alike by those who do not know its kind. */
export function familyProblemIn(body: JsonObject, row: Kind | undefined): string | undefined {
  const isNamed = Object.hasOwn(body, 'register')
  if (isNamed && !RegisterName.safeParse(body['register']).success)
    return `body.register must be text of at most ${LIMITS.nameLength} characters`
  if (row === undefined) return undefined
  if (row.family === 'register') return isNamed ? undefined : 'body.register is missing'
  return isNamed ? 'body.register has no place in this kind' : undefined
}
