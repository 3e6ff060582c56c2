import { headline } from '../../domain/contract/review-text.ts'
import type { ResultOf } from '../../methods/table.ts'
import { methodForm } from '../derive/method-form.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { describeReview, type Review } from './describe-review.ts'

type Diff = ResultOf<'cacp/contract/diff'>

/** What is compared stands behind the contract. */
export const diff = methodForm('cacp/contract/diff', {
  words: [
    {
      form: '[contract]',
      about: 'its ID or name (instead of --contract-id)',
      param: 'contractId',
      missing: 'Name the contract: CONTRACT, its ID or name',
    },
    {
      form: '[from]',
      about: 'a version (default: the one in force, or the one before the newest)',
      param: 'fromVersion',
    },
    { form: '[to]', about: 'a version (default: the newest)', param: 'toVersion' },
  ],
  show: (result, screen) => describeDiff(result, screen),
})

const LINES = { '+': 'green', '-': 'red', '~': 'yellow' } as const

/** What the change means, then what was written differently. */
function describeDiff(diff: Diff, terminal: Terminal): string {
  const { name, from, to, differences, truncated, parties, review } = diff
  const line = (mark: keyof typeof LINES, text: string) =>
    paint(LINES[mark], printableLine(`${mark} ${text}`), terminal)
  const lines = differences.map(({ mark, path, before, after }) => {
    const values = [before, after].filter((value) => value !== undefined)
    return line(mark, `${path || 'everything'}: ${values.map((value) => JSON.stringify(value)).join(' → ')}`)
  })
  const { added = [], removed = [] } = parties ?? {}
  const others = [
    ...added.map((repo) => line('+', `party ${repo}`)),
    ...removed.map((repo) => line('-', `party ${repo}`)),
  ]
  const all = [...others, ...lines]
  return [
    printableLine(`${name}: ${from === null ? 'nothing' : described(from)} → ${described(to)}`),
    ...(review === undefined ? [] : [meaningOf(review, terminal)]),
    ...(all.length === 0 || review === undefined ? [] : ['what was written differently:']),
    ...(all.length === 0 ? ['no difference in their content'] : all),
    ...(truncated === true ? ['and more'] : []),
  ].join('\n')
}

/** What is not understood differs as it is written, which is told anyway. */
const meaningOf = (review: Review, terminal: Terminal): string =>
  review.form === 'opaque' ? printableLine(headline(review)) : describeReview(review, terminal)

function described({ version, proposedBy, agreed, inForce, retire }: Diff['to']): string {
  const standing = inForce ? 'in force' : agreed ? 'agreed' : 'proposed'
  return `version ${version} (${standing}, by ${proposedBy}${retire ? ', its end' : ''})`
}
