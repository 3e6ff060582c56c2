import { methodCommand } from '../derive/method-commands.ts'
import type { GroupForm } from '../derive/method-form.ts'
import { drift } from '../documents/drift.ts'
import { exportContracts } from '../documents/export.ts'
import { importDocument } from '../documents/import.ts'
import { accept } from './accept.ts'
import { diff } from './diff.ts'
import { expect, unused } from './expect.ts'
import { history } from './history.ts'
import { review } from './review.ts'
import { wait } from './wait.ts'

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

const ready = methodCommand('cacp/contract/list', {
  about:
    'List the contracts that can be built: in force, not implemented yet, with all that they depend on in force.',
  only: ['projectId', 'type', 'limit', 'cursor'],
  examples: ["cacpd contract ready --project 'User Auth Feature'"],
  adjust: (params) => ({ ...params, ready: true }),
})

/** Commands on contracts that say more than one method does, or say it in fewer words. */
export const contract: GroupForm = {
  methods: { diff, expect, unused },
  commands: {
    accept,
    agree,
    drift,
    export: exportContracts,
    history,
    import: importDocument,
    review,
    wait,
    ready,
  },
}
