import type { Sender } from '../interface/model.ts'
import type { RepoEntity } from '../views/entities.ts'

const ROLES: Readonly<Record<'provider' | 'consumer', RegExp>> = {
  provider: /\b(?:backend|api|server|service)\b/i,
  consumer: /\b(?:frontend|web|app|mobile|client)\b/i,
}

/** On which side of its contracts a repo stands, by its role; both where that does not say it. */
export function sideOf({ role }: Pick<RepoEntity, 'role'>): Sender {
  const isProvider = ROLES.provider.test(role)
  if (isProvider === ROLES.consumer.test(role)) return 'both'
  return isProvider ? 'provider' : 'consumer'
}
