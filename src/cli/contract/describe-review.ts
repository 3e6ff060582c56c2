import { headline, placed, ROLLOUT_TEXTS } from '../../domain/contract/review-text.ts'
import type { Verdict } from '../../domain/interface/model.ts'
import { markdownOf } from '../../domain/names/markdown.ts'
import type { ResultOf } from '../../methods/table.ts'
import { annotation, type Level } from '../output/github.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'

export type Review = ResultOf<'cacp/contract/review'>
type RepoReview = NonNullable<Review['repos']>[number]

const MARKS: Readonly<Record<Verdict, string>> = { breaking: '!', unknown: '?', compatible: '+' }
/** The last line, where not all is told. */
const LEFT_OUT = 'there are more changes or notes than these, the worst changes come first'
const COLOURS = { breaking: 'red', unknown: 'yellow', compatible: 'green' } as const

/** For people at a terminal: the verdict, every change with its mark, and what else there is to say. */
export function describeReview(review: Review, look: { readonly colour: boolean }): string {
  const { verdict, changes, repos = [], missing = [], findings, truncated } = review
  const head = verdict === undefined ? headline(review) : paint(COLOURS[verdict], headline(review), look)
  return [
    head,
    ...changes.map((change) => changeLine(change, review, look)),
    ...repos.map((one) => paint(COLOURS[one.verdict], printableLine(repoText(one, review)), look)),
    ...missing.map((text) => printableLine(`missing: ${text}`)),
    ...(review.rollout === undefined || changes.length === 0
      ? []
      : [`rollout: ${ROLLOUT_TEXTS[review.rollout]}`]),
    ...findings.map(({ rule, at, say }) => printableLine(`note: ${placed({ at, say })} (${rule})`)),
    ...(truncated === true ? [LEFT_OUT] : []),
  ].join('\n')
}

/** With what it is known by, where a repo can accept it. */
function changeLine(
  change: Review['changes'][number],
  { repos = [] }: Review,
  look: { readonly colour: boolean },
): string {
  const { verdict, fingerprint } = change
  const line = paint(COLOURS[verdict], printableLine(`${MARKS[verdict]} ${placed(change)}`), look)
  const mayBeAccepted = repos.length > 0 && verdict !== 'compatible'
  return mayBeAccepted ? `${line} ${paint('dim', `[${fingerprint}]`, look)}` : line
}

/** For a comment of a pull request. What others wrote makes no markup. */
export function markdownReview(review: Review): string {
  const { changes, repos = [], missing = [], findings, rollout, truncated } = review
  const rows = changes.map(
    ({ at, say, verdict }) => `| ${verdict} | ${markdownOf(at || 'all of it')} | ${markdownOf(say)} |`,
  )
  const notes = [
    ...repos.map((one) => `- ${markdownOf(repoText(one, review))}`),
    ...missing.map((text) => `- missing: ${markdownOf(text)}`),
    ...(rollout === undefined || changes.length === 0 ? [] : [`- rollout: ${ROLLOUT_TEXTS[rollout]}`]),
    ...findings.map(({ rule, at, say }) => `- note: ${markdownOf(placed({ at, say }))} (${rule})`),
    ...(truncated === true ? [`- ${LEFT_OUT}`] : []),
  ]
  return [
    `**${markdownOf(headline(review))}**`,
    ...(rows.length === 0 ? [] : ['', '| verdict | where | what |', '|---|---|---|', ...rows]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ].join('\n')
}

const LEVELS = { breaking: 'error', unknown: 'warning', compatible: 'notice' } as const

/** As annotations of a workflow of GitHub, on the file that is judged. */
export function githubReview(review: Review, file: string | undefined): string {
  const { verdict, changes, repos = [], missing = [], findings, truncated } = review
  const judged = file === undefined || file === '-' ? undefined : file.replace(/^@/, '')
  const line = (level: Level, title: string, text: string) => annotation(level, title, text, judged)
  return [
    line(LEVELS[verdict ?? 'compatible'], 'Contract review', headline(review)),
    ...changes.map((change) => line(LEVELS[change.verdict], change.kind, placed(change))),
    ...repos.map((one) => line(LEVELS[one.verdict], one.repo, repoText(one, review))),
    ...missing.map((text) => line('warning', 'missing', text)),
    ...findings.map(({ rule, at, say }) => line('notice', rule, placed({ at, say }))),
    ...(truncated === true ? [line('notice', 'Contract review', LEFT_OUT)] : []),
  ].join('\n')
}

/** What it does to one repo, where that has another version, and what the repo itself said. */
function repoText({ repo, verdict, against, because, site, accepted = [] }: RepoReview, review: Review) {
  const [last] = accepted.toReversed()
  const isAll = because.every((one) => accepted.some(({ fingerprint }) => fingerprint === one))
  return [
    `${repo}: ${verdict}`,
    ...(against.version === review.against?.version ? [] : [`it has version ${against.version}`]),
    ...(site === undefined ? [] : [site]),
    ...(last === undefined
      ? []
      : [`${isAll ? '' : 'partly '}accepted by ${last.by} on ${last.at.slice(0, 16).replace('T', ' ')}Z`]),
  ].join(', ')
}
