import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describedStatuses, failurePlan, planOf } from '../../domain/mock/answer.ts'
import { drawsOf } from '../../domain/mock/chance.ts'
import { judgeRequest } from '../../domain/mock/judge.ts'
import { type Asked, headerOf } from '../../domain/mock/message.ts'
import { readPrefer } from '../../domain/mock/prefer.ts'
import {
  doesNotFit,
  FAILED_ON_PURPOSE,
  NOT_LOOPBACK,
  notAgreed,
  notDescribed,
  type Problem,
  tooLarge,
} from '../../domain/mock/problem.ts'
import type { Match, RouteTable } from '../../domain/mock/routes.ts'
import { shapeOf } from '../../domain/mock/shape.ts'
import { classOfHost } from '../../protocol/address-class.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { createFits } from './fit-check.ts'
import { closeServer, listenLocally } from './listen.ts'
import { askedOf, hasBody, withBody } from './read-asked.ts'
import { createReadyAnswers, isProblem, problemAnswer, type ReadyAnswer } from './ready-answers.ts'
import { createSampler } from './sampler.ts'

export interface MockRules {
  readonly port: number
  readonly seed: number
  /** Requests that do not fit are answered all the same. */
  readonly isLenient: boolean
  readonly delayMillis: number
  /** From 0 to 1: how many requests fail on purpose. */
  readonly failShare: number
  /** Told of every request that did not get an answer of a contract. */
  readonly tell: (line: string) => void
}

/** What a mock serves; `proposed` is only told of. */
export interface Tables {
  readonly served: RouteTable
  readonly proposed: RouteTable
}

export type MockServer = Awaited<ReturnType<typeof startMock>>

/** Answers requests as the contracts say, with what `tables` has at that moment. */
export async function startMock(tables: () => Tables, rules: MockRules) {
  const fits = createFits()
  const readyAnswer = createReadyAnswers(fits, await createSampler(fits), rules.seed)
  const draws = drawsOf(rules.seed)

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    allowPages(request, response)
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      return void response.writeHead(204).end()
    const answer = await answerTo(request)
    if (rules.delayMillis > 0) await sleep(rules.delayMillis)
    response.writeHead(answer.status, answer.headers)
    response.end(request.method === 'HEAD' ? undefined : answer.body)
  }

  const answerTo = async (request: IncomingMessage): Promise<ReadyAnswer> => {
    if (!isForThisMachine(request)) return problemAnswer(NOT_LOOPBACK)
    const head = askedOf(request)
    const asked = hasBody(request) ? await withBody(request, head, LIMITS.bodyBytes) : head
    if (asked === undefined) return refused(head, tooLarge(LIMITS.bodyBytes))
    const { served, proposed } = tables()
    const { method, path } = asked
    const match = find(served, method, path)
    if (match !== undefined) return answerOf(match, asked)
    return refused(asked, notAgreed(asked, served.nearest(method, path), find(proposed, method, path)?.route))
  }

  const answerOf = (match: Match, asked: Asked): ReadyAnswer => {
    const { route } = match
    const shape = shapeOf(route.operation)
    if (rules.failShare > 0 && draws.next().value < rules.failShare) {
      const plan = failurePlan(shape)
      return plan.answer === undefined
        ? problemAnswer(FAILED_ON_PURPOSE, route.served)
        : told(asked, match, readyAnswer(route, plan))
    }
    const { misfits } = rules.isLenient ? { misfits: [] } : judgeRequest(match, asked, fits)
    if (misfits.length > 0) return told(asked, match, doesNotFit(route, misfits))
    const wish = readPrefer(headerOf(asked.headers, 'prefer'))
    const plan = planOf(shape, wish.code, headerOf(asked.headers, 'accept'))
    if (plan === undefined)
      return told(asked, match, notDescribed(route, wish.code ?? 0, describedStatuses(shape)))
    return told(asked, match, readyAnswer(route, plan, wish.example))
  }

  const told = (asked: Asked, { route }: Match, answer: ReadyAnswer | Problem): ReadyAnswer =>
    isProblem(answer) ? refused(asked, answer, route.served) : answer

  const refused = (asked: Asked, problem: Problem, served?: Match['route']['served']): ReadyAnswer => {
    rules.tell(`${asked.method} ${asked.path}: ${problem.status} ${problem.detail}`)
    return problemAnswer(problem, served)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  const url = await listenLocally(server, rules.port)
  return { url, [Symbol.asyncDispose]: () => closeServer(server) }
}

/** Whoever may GET may ask for the head of it. */
const find = (table: RouteTable, method: string, path: string): Match | undefined =>
  table.find(method, path) ?? (method === 'HEAD' ? table.find('GET', path) : undefined)

/** A page from elsewhere that had its own name lead to this machine must not read what a team agrees on. */
function isForThisMachine({ headers }: IncomingMessage): boolean {
  const { host } = headers
  return host === undefined || isLoopback(`http://${host}`)
}

/** Pages that this machine serves may read what a mock answers. */
function allowPages({ headers }: IncomingMessage, response: ServerResponse): void {
  const { origin } = headers
  if (origin === undefined || !isLoopback(origin)) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'origin')
  response.setHeader('access-control-allow-credentials', 'true')
  response.setHeader('access-control-expose-headers', 'cacp-contract, cacp-contract-id, cacp-version')
  const method = headers['access-control-request-method']
  if (method !== undefined) response.setHeader('access-control-allow-methods', method)
  const names = headers['access-control-request-headers']
  if (names !== undefined) response.setHeader('access-control-allow-headers', names)
}

const isLoopback = (url: string): boolean =>
  URL.canParse(url) && classOfHost(new URL(url).hostname) === 'loopback'
