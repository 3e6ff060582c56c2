import { callAndPrint } from '../derive/call-method.ts'
import type { GroupForm } from '../derive/method-form.ts'
import { command } from '../form/command.ts'
import { accept } from './accept.ts'
import { agree } from './agree.ts'
import { diff } from './diff.ts'
import { expect, unused } from './expect.ts'
import { history } from './history.ts'
import { review } from './review.ts'
import { OF_CONTRACT } from './target.ts'
import { wait } from './wait.ts'

const ready = command({
  about:
    'List the contracts that can be built: in force, not implemented yet, with all that they depend on in force.',
  options: OF_CONTRACT,
  examples: ["cacpd contract ready --project-id 'User Auth Feature'"],
  run: (flags, terminal) => {
    const params = { projectId: flags.projectId, ready: true }
    return callAndPrint({ method: 'cacp/contract/list', params, flags, terminal })
  },
})

/** Commands on contracts that say more than one method does, or say it in fewer words. */
export const contract: GroupForm = {
  methods: { diff, expect, unused },
  commands: { accept, agree, history, review, wait, ready },
}
