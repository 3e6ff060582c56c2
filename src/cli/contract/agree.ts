import { methodCommand } from '../derive/method-commands.ts'

export const agree = methodCommand('cacp/contract/respond', {
  about: 'Agree to the newest version of a contract, also where it hurts this repository.',
  only: ['projectId', 'contractId', 'comment', 'version'],
  options: {
    '--accepts <fingerprint...>':
      'changes that hurt this repository and that it takes on itself, as `cacpd contract review --json` shows them, or all',
  },
  examples: ["cacpd contract agree 'Get User Profile' --accepts all"],
  adjust: (params, { accepts }) => {
    const isAll = accepts?.length === 1 && accepts[0] === 'all'
    return { ...params, action: 'agree', ...(accepts && { accepts: isAll ? 'all' : accepts }) }
  },
})
