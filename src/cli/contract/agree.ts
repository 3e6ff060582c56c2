import { command } from '../form/command.ts'
import { numberGiven } from '../form/number-given.ts'
import { IDEMPOTENCY_KEY } from '../form/options.ts'
import { CONTRACT_WORD, OF_CONTRACT, targetOf } from './target.ts'

export const agree = command({
  about: 'Agree to the newest version of a contract, also where it hurts this repository.',
  words: CONTRACT_WORD,
  options: {
    ...OF_CONTRACT,
    '--accepts <fingerprint...>':
      'changes that hurt this repository and that it takes on itself, as `cacpd contract review --json` shows them, or all',
    '--comment <text>': 'what to tell the others with it',
    '--version <number>': 'the version that was read: another one is refused',
    ...IDEMPOTENCY_KEY,
  },
  examples: ["cacpd contract agree 'Get User Profile' --accepts all"],
  ask: (given) => {
    const { accepts, comment, idempotencyKey } = given
    const version = numberGiven(given.version, /^[1-9]\d{0,8}$/, '--version: must be the number of a version')
    const isAll = accepts?.length === 1 && accepts[0] === 'all'
    const accepted = isAll ? ('all' as const) : accepts && [...accepts]
    return async (client) => {
      const params = {
        ...(await targetOf(client, given)),
        action: 'agree' as const,
        ...(accepted && { accepts: accepted }),
        ...(comment && { comment }),
        ...(version && { version }),
      }
      return client.call('cacp/contract/respond', params, { idempotencyKey })
    }
  },
})
