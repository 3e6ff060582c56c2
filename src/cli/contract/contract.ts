import { methodCommand } from '../derive/method-commands.ts'
import type { GroupForm } from '../derive/method-form.ts'
import { drift } from '../documents/drift.ts'
import { exportContracts } from '../documents/export.ts'
import { importDocument } from '../documents/import.ts'
import { accept } from './accept.ts'
import { agree } from './agree.ts'
import { diff } from './diff.ts'
import { expect, unused } from './expect.ts'
import { history } from './history.ts'
import { review } from './review.ts'
import { wait } from './wait.ts'

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
