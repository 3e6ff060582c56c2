import {
  AgentCard,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  Task,
} from '@a2a-js/sdk'
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { type A2ARequestHandler, JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server'
import { createEncoder } from '../../../dialects/a2a/encode.ts'
import { pageOf } from '../../../dialects/a2a/list.ts'
import { ListParams, readParams, SendParams } from '../../../dialects/a2a/params.ts'
import { noExtendedCard, refused } from '../../../dialects/a2a/refusals.ts'
import { taskOf } from '../../../dialects/a2a/task.ts'
import { toRun } from '../../../dialects/a2a/to-run.ts'
import { type A2aVersion, noPush } from '../../../dialects/a2a/versions.ts'
import type { Caller } from '../../../domain/env.ts'
import type { Runs } from '../../../methods/runs/service.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { JsonObject } from '../../../protocol/json/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { NO_RESULT, type RunResult } from '../../../protocol/run/fold.ts'
import { hasEnded, type Run } from '../../../protocol/run/run.ts'

/** One call of A2A, and the error with which it failed. */
interface A2aCallState {
  readonly runs: Runs
  readonly caller: Caller
  readonly version: A2aVersion
  readonly card: JsonObject
  /** Aborted when the reader of a stream has gone. */
  readonly gone: AbortSignal
  /** The error as it was thrown: the SDK replaces its code, and would show the message of any error. */
  thrown?: unknown
}

/** The result of a call, or the results of a stream. Failures are thrown as Faults. */
export async function callA2a(method: string, params: unknown, state: A2aCallState) {
  const { version } = state
  const Handler = version === '0.3' ? LegacyJsonRpcTransportHandler : JsonRpcTransportHandler
  const context = new ServerCallContext({ requestedVersion: version })
  // Our caller puts the id of the call back: the SDK takes fewer kinds of ids than JSON-RPC has.
  const call = { jsonrpc: '2.0', id: null, method, params }
  const answer = await new Handler(createTasks(state)).handle(call, context)
  if (Symbol.asyncIterator in answer) return results(answer)
  const { error, result } = answer as { error?: unknown; result?: unknown }
  if (error === undefined) return { result }
  throw Fault.from(state.thrown ?? new Error('The SDK refused a call that was checked', { cause: error }))
}

async function* results(answers: AsyncGenerator<{ result?: unknown }, void, undefined>) {
  for await (const { result } of answers) yield result
}

/**
 * The tasks of A2A are our runs. This takes the place of the SDK's default handler, which keeps tasks and
 * their events in memory, copies the whole task at every event and cannot go on after a restart. What
 * stays the SDK's is the wire: it reads the calls of both versions and writes the answers.
 */
function createTasks(state: A2aCallState): A2ARequestHandler {
  const { runs, caller, version, card, gone } = state

  return {
    getAgentCard: async () => AgentCard.fromJSON(card),

    sendMessage: noting(async (params) => {
      const { run, configuration } = await start(params)
      if (configuration?.returnImmediately !== true && !hasEnded(run)) await untilEnd(run)
      return shown(run.run_id, configuration?.historyLength)
    }),

    async *sendMessageStream(params) {
      const { run, configuration } = await start(params)
      // From the first event, also when the message is sent again: the same message has the same answer.
      yield* told(run, NO_RESULT, configuration?.historyLength)
    },

    getTask: noting(async ({ id, historyLength }) => shown(id, historyLength)),

    listTasks: noting(async (params) => {
      const asked = readParams(ListParams, ListTasksRequest.toJSON(params))
      const page = pageOf(runs.list({ dialect: 'a2a', limit: Number.POSITIVE_INFINITY }, caller), asked)
      const tasks: JsonObject[] = []
      let room: number = LIMITS.answerBytes
      for (const run of page.runs) {
        const artifacts = asked.includeArtifacts === true
        const result = artifacts ? await runs.result(run.run_id, caller) : undefined
        const task = taskOf(run, result, { historyLength: asked.historyLength, artifacts })
        room -= JSON.stringify(task).length
        // The rest is on the next page; a page has at least one task, or nobody would get past it.
        if (room < 0 && tasks.length > 0) break
        tasks.push(task)
      }
      return ListTasksResponse.fromJSON(page.listOf(tasks))
    }),

    cancelTask: noting(async ({ id }) => {
      const run = taskNamed(id)
      const { status } = hasEnded(run) ? run : await runs.cancel(id, caller, 'The task was canceled')
      if (status !== 'canceled')
        throw refused('TASK_NOT_CANCELABLE', `Task ${id.slice(0, 100)} has ended already: it is ${status}`)
      return shown(id)
    }),

    async *resubscribe({ id }) {
      const run = taskNamed(id)
      // Version 0.3 does not say; there the whole task is the best answer.
      if (hasEnded(run) && version !== '0.3')
        throw refused('UNSUPPORTED_OPERATION', `Task ${id.slice(0, 100)} has ended: it is ${run.status}`, {
          next: 'Read it with GetTask',
        })
      yield* told(run, await runs.result(id, caller))
    },

    // These are refused before they come here.
    createTaskPushNotificationConfig: refusing(() => noPush(version)),
    getTaskPushNotificationConfig: refusing(() => noPush(version)),
    listTaskPushNotificationConfigs: refusing(() => noPush(version)),
    deleteTaskPushNotificationConfig: refusing(() => noPush(version)),
    getAuthenticatedExtendedAgentCard: refusing(() => noExtendedCard(version)),
  }

  function noting<Params, Result>(act: (params: Params) => Promise<Result>) {
    return async (params: Params): Promise<Result> => {
      try {
        return await act(params)
      } catch (error) {
        state.thrown = error
        throw error
      }
    }
  }

  async function start(asked: SendMessageRequest) {
    const params = readParams(SendParams, SendMessageRequest.toJSON(asked))
    const { message, configuration } = params
    if (configuration?.taskPushNotificationConfig !== undefined) throw noPush(version)
    if (message.taskId !== undefined) throw takesNoMore(taskNamed(message.taskId))
    const { run } = await runs.start(toRun(params), caller)
    return { run, configuration }
  }

  /** The task with what is known so far, and then an update for everything that comes after. */
  async function* told(run: Run, known: RunResult, historyLength?: number) {
    const now =
      known === NO_RESULT ? { ...run, status: 'created' as const, failure: null, ended_at: null } : run
    yield StreamResponse.fromJSON({ task: taskOf(now, known, { historyLength }) })
    const encode = createEncoder(run, known)
    const after = known.last_sequence
    for await (const events of runs.follow(run.run_id, caller, { after, signal: gone }))
      for (const piece of encode(events)) yield StreamResponse.fromJSON(piece)
  }

  async function untilEnd({ run_id, last_sequence }: Run): Promise<void> {
    for await (const _ of runs.follow(run_id, caller, { after: last_sequence }));
  }

  async function shown(id: string, historyLength?: number): Promise<Task> {
    const result = await runs.result(taskNamed(id).run_id, caller)
    return Task.fromJSON(taskOf(taskNamed(id), result, { historyLength }))
  }

  /** Runs that were asked for in other protocols are no tasks here. */
  function taskNamed(id: string): Run {
    try {
      const run = runs.get(id, caller)
      if (run.request.dialect === 'a2a') return run
    } catch (error) {
      if (Fault.from(error).kind !== 'not_found') throw error
    }
    throw refused('TASK_NOT_FOUND', `Task not found: ${id.slice(0, 100)}`)
  }
}

const refusing = (make: () => Fault) => () => Promise.reject(make())

const takesNoMore = ({ run_id, request }: Run): Fault =>
  refused('UNSUPPORTED_OPERATION', `message.taskId: task ${run_id} takes no further messages`, {
    next: `Leave taskId out and go on in the context ${request.session_id}`,
    data: { field: 'message.taskId' },
  })
