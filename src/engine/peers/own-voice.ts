import type { Env } from '../../domain/env.ts'
import type { Parts } from '../parts.ts'

/** What a part needs that states something by itself, and not because somebody called. */
export type OwnVoiceDeps = Pick<Parts, 'self' | 'store' | 'clock' | 'failed'>

export const ownEnv = ({
  self,
  clock,
}: Pick<OwnVoiceDeps, 'self' | 'clock'>): Pick<Env, 'self' | 'now' | 'newNonce'> => ({
  self,
  now: clock.now(),
  newNonce: clock.newNonce,
})
