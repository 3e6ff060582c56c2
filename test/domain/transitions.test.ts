import { describe, expect, test } from 'vitest'
import type { ContractStatus } from '../../src/protocol/words.ts'
import { at } from './builders.ts'
import { agreed, implemented, negotiating, proposed, type Told, verified } from './story.ts'

const IN_STATUS: Record<ContractStatus, () => Told> = {
  proposed,
  negotiating,
  agreed,
  implemented,
  verified,
}

/** What the frontend says of the contract, which the backend proposed. */
const SAYS = {
  agree: ({ story, revision }: Told) => story.answers('frontend', revision, 'agree', at(20)),
  request_change: ({ story, revision }: Told) =>
    story.answers('frontend', revision, 'request_change', at(20)),
  reject: ({ story, revision }: Told) => story.answers('frontend', revision, 'reject', at(20)),
  update: ({ story, revision }: Told) => story.revises('frontend', revision, at(20)),
  start: ({ story, revision }: Told) => story.works('frontend', revision, 'in_progress', at(20)),
  complete: ({ story, revision }: Told) => story.works('frontend', revision, 'complete', at(20)),
  verify: ({ story, revision }: Told) => story.verifies('frontend', revision, 'success', at(20)),
  'find fault': ({ story, revision }: Told) => story.verifies('frontend', revision, 'failure', at(20)),
}
type Said = keyof typeof SAYS

const OPEN = {
  agree: 'agreed',
  request_change: 'negotiating',
  reject: 'negotiating',
  update: 'proposed',
} as const
/** What nobody may say in that status, and who says it nevertheless changes nothing by it. */
const ASIDE = ['start', 'complete', 'verify', 'find fault'] as const
const aside = <Status extends ContractStatus>(status: Status) =>
  Object.fromEntries(ASIDE.map((said) => [said, status])) as Record<(typeof ASIDE)[number], Status>

const TABLE: Record<ContractStatus, Record<Said, ContractStatus>> = {
  proposed: { ...OPEN, ...aside('proposed') },
  negotiating: { ...OPEN, ...aside('negotiating') },
  agreed: { ...OPEN, ...aside('agreed') },
  implemented: {
    ...OPEN,
    agree: 'implemented',
    start: 'agreed',
    complete: 'implemented',
    verify: 'verified',
    'find fault': 'agreed',
  },
  verified: {
    ...OPEN,
    agree: 'verified',
    start: 'agreed',
    complete: 'implemented',
    verify: 'verified',
    'find fault': 'agreed',
  },
}

const CELLS = Object.entries(TABLE).flatMap(([status, row]) =>
  Object.entries(row).map(([said, next]) => ({
    status: status as ContractStatus,
    said: said as Said,
    next,
  })),
)

describe('the transition table [cacp-contract-4]', () => {
  test.each(Object.keys(TABLE) as ContractStatus[])('a contract can be %s', (status) => {
    expect(IN_STATUS[status]().contract.status).toBe(status)
  })

  test.each(CELLS)('$said, said of a contract that is $status, leaves it $next', ({ status, said, next }) => {
    const told = IN_STATUS[status]()
    SAYS[said](told)
    expect(told.contract.status).toBe(next)
  })

  test.each(CELLS.filter(({ status }) => status !== 'proposed' && status !== 'negotiating'))(
    '$said, said of a contract that is $status, leaves its version in force',
    ({ status, said }) => {
      const told = IN_STATUS[status]()
      SAYS[said](told)
      expect(told.contract.in_force?.revision.id).toBe(told.revision.id)
    },
  )
})
