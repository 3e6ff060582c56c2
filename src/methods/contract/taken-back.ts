import * as z from 'zod'
import {
  changeIt,
  dropChange,
  endProposal,
  notParty,
  onContract,
  refusal,
} from '../../domain/contract/advice.ts'
import { contractIn, isPartyOf, type Seat, seatAt } from '../../domain/contract/contract.ts'
import { askIn } from '../../domain/project/joining-advice.ts'
import { rootOf } from '../../domain/statements/admit.ts'
import { redaction as redactionKind } from '../../domain/statements/redaction.ts'
import { hasLostContent, type Statement } from '../../domain/statements/statement.ts'
import { withdrawal as withdrawalKind } from '../../domain/statements/withdrawal.ts'
import { Fault } from '../../protocol/fault.ts'
import { Sha256, Text } from '../../protocol/words.ts'
import { changes, EXAMPLE, method } from '../row.ts'
import { Target } from '../shapes.ts'

export const withdraw = method({
  name: 'cacp/contract/withdraw',
  summary: 'Take a contract back that you proposed and of which nothing was agreed yet.',
  ...changes('contract:propose'),
  params: z.object(Target),
  result: z.object({ contractId: z.string(), withdrawn: z.boolean() }),
  example: { params: EXAMPLE.target, result: { contractId: EXAMPLE.contractId, withdrawn: true } },
}).decide((view, target, env) => {
  const seat = seatAt(view, target, env)
  const { contract, repo, speak } = seat
  const { contract_id, is_withdrawn, created_by, opening } = contract
  const isOpener = created_by === repo.repo_id
  if (!isOpener && !isPartyOf(contract.head, repo.repo_id)) throw notParty(seat, contract.head.needed)
  if (contract.is_retired)
    throw refusal(
      seat,
      `Contract ${contract_id} is retired: nothing of it is in force`,
      changeIt(seat, 'There is nothing left to take back; to propose it anew call cacp/contract/update'),
    )
  if (contract.in_force !== undefined)
    throw refusal(
      seat,
      `Version ${contract.in_force.revision.version} of contract ${contract_id} is in force and cannot be taken back`,
      dropChange(seat),
    )
  if (!isOpener && !is_withdrawn)
    throw refusal(seat, `Another repo proposed contract ${contract_id}`, endProposal(seat))
  return {
    says: is_withdrawn ? [] : [speak(withdrawalKind, { about: contract_id, body: { revision: opening } })],
    tell: (after) => ({ contractId: contract_id, withdrawn: contractIn(after, target).is_withdrawn }),
  }
})

const CONTENTS = new Set(['revision', 'answer', 'verification'])

export const redact = method({
  name: 'cacp/contract/redact',
  summary:
    'Take away what you wrote about a contract: a comment, a judgement or a version that is not in force.',
  ...changes('contract:propose'),
  params: z.object({
    ...Target,
    statementId: Sha256.describe('response_id, verification_id or revision, as cacp/contract/get shows them'),
    reason: Text.default(''),
  }),
  result: z.object({ statementId: z.string(), status: z.literal('redacted') }),
  example: {
    params: { ...EXAMPLE.target, statementId: EXAMPLE.revision, reason: 'a key slipped into it' },
    result: { statementId: EXAMPLE.revision, status: 'redacted' },
  },
}).decide((view, { statementId, reason, ...target }, env) => {
  const seat = seatAt(view, target, env)
  const of = ownStatement(seat, statementId)
  const { contract, speak } = seat
  if (contract.in_force?.revision.id === statementId)
    throw refusal(
      seat,
      `Version ${contract.in_force.revision.version} is in force, and what was agreed stays`,
      changeIt(seat, 'Have another version agreed first, with cacp/contract/update'),
    )
  const body = { of: statementId, reason }
  return {
    says: hasLostContent(of) ? [] : [speak(redactionKind, { about: contract.contract_id, body })],
    result: { statementId, status: 'redacted' },
  }
})

function ownStatement(seat: Seat, id: string): Statement {
  const { found, contract, repo } = seat
  const said = found.said.fact(id)
  if (said === undefined || said.about !== contract.contract_id || !CONTENTS.has(said.kind))
    throw new Fault(
      'not_found',
      `statementId: nothing in contract ${contract.contract_id} has the id ${id}`,
      {
        next: 'cacp/contract/get with includeHistory shows what was said, with its ids',
        data: {
          field: 'statementId',
          contractId: contract.contract_id,
          call: onContract(seat, 'cacp/contract/get', { includeHistory: true }),
        },
      },
    )
  if (rootOf(said, found.said).id === repo.holder?.claim_id) return said
  throw new Fault('forbidden', `statementId: ${id} was said by somebody else, or under an earlier claim`, {
    next: 'Only its author can take it away, with cacp/contract/redact: ask for it with cacp/context/askQuestion',
    data: {
      field: 'statementId',
      contractId: contract.contract_id,
      call: askIn(found.project.project_id, `Please take away statement ${id}`, [contract.contract_id]),
    },
  })
}
