import type { Env } from '../../domain/env.ts'
import {
  claimsOf,
  issueCommand,
  issueToken,
  PROJECT_TOKEN_TYP,
  type TokenRequest,
  tokenStatus,
  tokenWith,
} from '../../domain/trust/project-token.ts'
import type { IssuedToken } from '../../domain/trust/trust.ts'
import { Fault } from '../../protocol/fault.ts'
import { HOW_TO_GET_IN } from '../dispatch/access.ts'
import type { Parts } from '../parts.ts'

/** Returns the token that a caller presented, or throws a 401 that says what is wrong with it. */
export type ReadToken = (jwt: string) => Promise<IssuedToken>

type ProjectTokensDeps = Pick<Parts, 'self' | 'store' | 'clock' | 'identity'>

/** Issues project tokens and verifies them. They are signed, but only those that are stored here are valid. */
export function createProjectTokens({ self, store, clock, identity }: ProjectTokensDeps) {
  return {
    async issue(request: TokenRequest, env: Env) {
      const issued = await store.commit((view) => issueToken(view, request, env))
      return { issued, token: await identity.sign(claimsOf(issued, self.agentId), PROJECT_TOKEN_TYP) }
    },

    async read(jwt: string): Promise<IssuedToken> {
      const claims = await identity.verifyOwn(jwt, PROJECT_TOKEN_TYP)
      const { tokens } = store.view
      const token = claims && tokenWith(claims, { tokens, issuer: self.agentId })
      if (token === undefined) throw invalid('is not valid here')
      const status = tokenStatus(token, clock.now())
      if (status === 'expired') throw invalid('has expired', token)
      if (status === 'revoked') throw invalid('was revoked', token)
      return token
    },
  }
}

const invalid = (problem: string, token?: IssuedToken): Fault =>
  new Fault('unauthorized', `X-Project-Token: this token ${problem}`, {
    next: `Ask the operator here for another one: \`${token === undefined ? 'cacpd token issue' : issueCommand(token)}\`. ${HOW_TO_GET_IN}`,
    ...(token === undefined ? {} : { data: { tokenId: token.token_id } }),
  })
