import { placed } from '../../domain/contract/review-text.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { listIn, said, textIn } from '../text.ts'

/** With the line of the next call behind them, no more than six. */
const MOST_LINES = 5

export interface ReviewedContract {
  readonly projectId?: unknown
  readonly contractId: unknown
}

/**
 * The review in an answer in few lines: the verdict, what breaks, what is not known. Whoever wrote the content also
 * reads what could be said better in it. Names in it are by others, so all of it is quoted.
 */
export function reviewLines(
  { review }: JsonObject,
  of: ReviewedContract,
  { isAuthor = false }: { isAuthor?: boolean } = {},
): string[] {
  if (!isJsonObject(review)) return []
  const changes = listIn(review, 'changes').filter(({ verdict }) => verdict === 'breaking')
  const { missing } = review
  const open = Array.isArray(missing) ? missing : []
  const all = [
    ...verdictLine(review),
    ...changes.map((change) => `breaks ${said(placedIn(change))}`),
    ...open.map((text) => `not known: ${said(text)}`),
    ...(isAuthor ? listIn(review, 'findings').map((one) => `note: ${said(placedIn(one))}`) : []),
  ]
  if (all.length <= MOST_LINES && review['truncated'] !== true) return all
  const params = { projectId: of.projectId, contractId: of.contractId }
  const rest = `all of the review: call ${JSON.stringify({ method: 'cacp/contract/review', params })}`
  return [...all.slice(0, MOST_LINES - 1), rest]
}

const placedIn = (one: JsonObject): string => placed({ at: textIn(one, 'at'), say: textIn(one, 'say') })

/** Without a verdict there is nothing in force that could break. */
function verdictLine({ verdict, against, form, why }: JsonObject): string[] {
  if (verdict === undefined) return []
  const compared = isJsonObject(against) ? ` against v${against['version']}` : ''
  const understood = why === undefined ? '' : `, not understood: ${said(why)}`
  return [`review: ${verdict}${compared} (${form}${understood})`]
}
