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
 * The review in an answer in few lines: the verdict, whom it breaks by what, for whom it is not known. Whoever wrote
 * the content also reads what could be said better in it. Names in it are by others, so all of it is quoted.
 */
export function reviewLines(
  { review }: JsonObject,
  { projectId, contractId }: ReviewedContract,
  { isAuthor = false }: { isAuthor?: boolean } = {},
): string[] {
  if (!isJsonObject(review)) return []
  const all = [
    ...verdictLine(review),
    ...(listIn(review, 'repos').length === 0 ? changeLines(review) : repoLines(review)),
    ...(isAuthor ? listIn(review, 'findings').map((one) => `note: ${said(placedIn(one))}`) : []),
  ]
  if (all.length <= MOST_LINES && review['truncated'] !== true) return all
  const params = { projectId, contractId }
  const rest = `all of the review: call ${JSON.stringify({ method: 'cacp/contract/review', params })}`
  return [...all.slice(0, MOST_LINES - 1), rest]
}

/** Whether something in the review breaks a repo that has not accepted it. */
export const hasOpenBreak = ({ review }: JsonObject): boolean =>
  isJsonObject(review) && listIn(review, 'repos').some((repo) => openBreaks(review, repo).length > 0)

/** For consumers of whom nothing is known. */
function changeLines(review: JsonObject): string[] {
  const { missing } = review
  const breaking = listIn(review, 'changes').filter(({ verdict }) => verdict === 'breaking')
  return [
    ...breaking.map((change) => `breaks ${said(placedIn(change))}`),
    ...(Array.isArray(missing) ? missing : []).map((text) => `not known: ${said(text)}`),
  ]
}

function repoLines(review: JsonObject): string[] {
  const repos = listIn(review, 'repos')
  return [
    ...repos.filter(({ verdict }) => verdict === 'breaking').map((repo) => brokenLine(review, repo)),
    ...repos
      .filter(({ verdict }) => verdict === 'unknown')
      .map((repo) => `not known for ${said(repo['repo'])}: ${said(repo['missing'])}`),
  ]
}

function brokenLine(review: JsonObject, repo: JsonObject): string {
  const [first, ...more] = openBreaks(review, repo)
  const name = said(repo['repo'])
  if (first === undefined) return `breaks ${name}, which has accepted that`
  const site = hasSite(review, repo) ? ` at ${said(repo['site'])}` : ''
  return `breaks ${name}${site}: ${said(first)}${more.length === 0 ? '' : ` and ${more.length} more`}`
}

/** The site is that of the first cause, which may be accepted. */
function hasSite(review: JsonObject, repo: JsonObject): boolean {
  const { site, because } = repo
  if (site === undefined || !Array.isArray(because)) return false
  return openBreaks(review, repo).length === because.length
}

/** What breaks a repo and was not accepted by it. */
function openBreaks(review: JsonObject, { verdict, because, ...repo }: JsonObject): string[] {
  if (verdict !== 'breaking' || !Array.isArray(because)) return []
  const accepted = new Set(listIn(repo, 'accepted').map(({ fingerprint }) => fingerprint))
  const changes = new Map(listIn(review, 'changes').map((one) => [one['fingerprint'], placedIn(one)]))
  return because
    .filter((fingerprint) => !accepted.has(fingerprint))
    .map((fingerprint) => changes.get(fingerprint) ?? String(fingerprint))
}

const placedIn = (one: JsonObject): string => placed({ at: textIn(one, 'at'), say: textIn(one, 'say') })

/** Without a verdict there is nothing in force that could break. */
function verdictLine({ verdict, against, form, why }: JsonObject): string[] {
  if (verdict === undefined) return []
  const compared = isJsonObject(against) ? ` against v${against['version']}` : ''
  const understood = why === undefined ? '' : `, not understood: ${said(why)}`
  return [`review: ${verdict}${compared} (${form}${understood})`]
}
