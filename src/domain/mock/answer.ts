import { isJsonMedia } from './message.ts'
import { type Answer, answerFor, type Body, JSON_MEDIA, type Shape } from './shape.ts'

/** What a mock answers, before anybody knows the values. */
export interface Plan {
  readonly status: number
  readonly answer: Answer | undefined
  readonly body: Body | undefined
}

/** The answer with this status, or else the good one; undefined where the contract describes no such answer. */
export function planOf(shape: Shape, code: number | undefined, accept: string | undefined): Plan | undefined {
  const status = code ?? goodStatus(shape)
  const answer = answerFor(shape, status)
  if (answer === undefined && (code !== undefined || shape.answers.length > 0)) return undefined
  return { status, answer, body: answer && bodyWanted(answer.bodies, accept) }
}

/** The answer on purpose that tells of a failure of the server. */
export const failurePlan = (shape: Shape): Plan => {
  const described = shape.answers.find(({ status }) => /^5\d\d$/.test(status))
  const status = described === undefined ? 503 : Number(described.status)
  const answer = answerFor(shape, status)
  return { status, answer, body: answer && bodyWanted(answer.bodies, undefined) }
}

/** The statuses that can be asked for. */
export const describedStatuses = ({ answers }: Shape): readonly string[] =>
  answers.map(({ status }) => status)

function goodStatus({ answers }: Shape): number {
  const words = answers.map(({ status }) => status)
  const good = words.filter((word) => /^[23]\d\d$/.test(word)).sort()[0]
  if (good !== undefined) return Number(good)
  if (words.some((word) => word === '2xx' || word === 'default')) return 200
  return words.length === 0 ? 204 : Number(words.find((word) => /^\d+$/.test(word)) ?? 200)
}

/** JSON unless the caller takes something else that is described. */
function bodyWanted(bodies: readonly Body[], accept: string | undefined): Body | undefined {
  const wanted = (accept ?? '').split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase())
  const named = bodies.find(({ media }) => wanted.includes(media))
  return named ?? bodies.find(({ media }) => media === JSON_MEDIA || isJsonMedia(media)) ?? bodies[0]
}
