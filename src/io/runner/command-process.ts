import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Outcome, type Problem, type RunContext, RunError } from '../../engine/ports/run-ports.ts'
import { promptOf, type RunRequest } from '../../protocol/run/request.ts'
import { withoutOwnVariables } from '../place/own-command.ts'
import type { StoreLog } from '../store/store-log.ts'
import { readEvents, readText } from './agent-output.ts'
import { type RunFolder, variableOf } from './command-files.ts'
import { processStart, statFields } from './process-start.ts'
import { endTree, groupMemory, type ProcessTree } from './process-tree.ts'

interface Execution {
  readonly command: readonly string[]
  readonly root: string
  readonly request: RunRequest
  readonly context: RunContext
  readonly files: RunFolder
  readonly output: 'text' | 'events'
  readonly maxMemoryMb: number | undefined
  readonly log: StoreLog
}

/** How long output may stay open after the command has ended, because a process that it started holds it open. */
const LINGER_MILLIS = 2000
const MEMORY_CHECK_MILLIS = 500
const MIB = 1024 * 1024
const LOGGED_LINES = 1000
const LOGGED_LENGTH = 2000

/** Runs a command until it ends or its time is over. */
export async function execute(execution: Execution): Promise<Outcome> {
  const { context, files, output, log } = execution
  const { signal, runId } = context
  if (signal.aborted) return {}
  const child = await start(execution)
  const exited = exitOf(child)
  const pid = child.pid ?? 0
  const looking = processStart(pid).then((start): ProcessTree => ({ pid, start, mark: variableOf(runId) }))
  let problem: Problem | undefined
  let ending: Promise<void> | undefined
  const end = (reason?: Problem) => {
    problem ??= reason
    ending ??= looking.then((tree) => endTree(tree))
  }
  // From the first moment: what nobody reads is thrown away when a command ends.
  logComplaints(child, runId, log)
  const read = output === 'events' ? readEvents : readText
  const reading = read(child.stdout, context.emit).catch((error: unknown) => {
    end(problemOf(error))
    return {}
  })
  const onAbort = () => end()
  signal.addEventListener('abort', onAbort)
  const stopLooking = watchMemory(execution, pid, end)
  try {
    const tree = await looking
    await files.writeProcess(tree)
    if (signal.aborted) end()
    child.stdin.end(promptOf(execution.request) || bareRequest(execution.request))
    const { code, killedBy, cpu_ms } = await exited
    const outcome = await readToTheEnd(reading, child, tree)
    await ending
    const failure = problem ?? exitProblem(code, killedBy)
    return { ...outcome, exit_code: code, cpu_ms, ...(failure === undefined ? {} : { failure }) }
  } catch (error) {
    // Whatever failed, no process is left running.
    end()
    await ending
    throw error
  } finally {
    stopLooking()
    signal.removeEventListener('abort', onAbort)
  }
}

/** Rejects when there is no such program. */
function start(execution: Execution): Promise<ChildProcessWithoutNullStreams> {
  const { command, root, context, files, request } = execution
  const [program = '', ...args] = command
  cpuOfEndedChild()
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      // In a process group of its own, which can be ended as a whole.
      detached: true,
      env: {
        ...withoutOwnVariables(process.env),
        CACP_REQUEST_FILE: files.requestPath,
        CACP_RUN_ID: context.runId,
        CACP_WORK_TYPE: request.work_type,
      },
    })
    child.once('spawn', () => resolve(child))
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new RunError(
          { kind: 'agent_failed', message: `The agent's command could not be started (${error.code})` },
          error,
        ),
      ),
    )
    // A command need not read its input.
    child.stdin.on('error', () => {})
  })
}

const bareRequest = ({ work_type, parameters }: RunRequest): string =>
  `${JSON.stringify({ work_type, parameters }, null, 2)}\n`

function exitOf(child: ChildProcessWithoutNullStreams) {
  return new Promise<{ code: number | null; killedBy: string | null; cpu_ms: number | null }>((resolve) =>
    child.once('exit', (code, killedBy) => resolve({ code, killedBy, cpu_ms: cpuOfEndedChild() ?? null })),
  )
}

/** The positions of user and system time of ended children in /proc/self/stat, counted after the name. */
const CUTIME = 16 - 3
const CSTIME = 17 - 3
/** A tick is a hundredth of a second on every Linux. */
const TICK_MILLIS = 10

let counted = 0

/**
 * CPU time of the child process that has just ended, including the processes that it waited for; undefined where the
 * system does not tell. The system only knows the sum over all ended children, so this has to be called at the moment
 * when one ends, and once before the first one starts.
 */
function cpuOfEndedChild(): number | undefined {
  try {
    const fields = statFields(readFileSync('/proc/self/stat', 'latin1'))
    const total = (Number(fields[CUTIME]) + Number(fields[CSTIME])) * TICK_MILLIS
    const grown = total - counted
    counted = total
    return grown
  } catch {
    return undefined
  }
}

/** A background process of the command may hold its output open: then it is ended. */
async function readToTheEnd(
  reading: Promise<Outcome>,
  child: ChildProcessWithoutNullStreams,
  tree: ProcessTree,
): Promise<Outcome> {
  const waiting = new AbortController()
  const tooLong = sleep(LINGER_MILLIS, 'late' as const, { signal: waiting.signal }).catch(
    () => 'late' as const,
  )
  const first = await Promise.race([reading, tooLong])
  waiting.abort()
  if (first !== 'late') return first
  await endTree(tree, 0)
  const cutOff = setTimeout(() => child.stdout.destroy(), LINGER_MILLIS)
  try {
    return await reading
  } finally {
    clearTimeout(cutOff)
  }
}

function exitProblem(code: number | null, killedBy: string | null): Problem | undefined {
  if (code === 0) return undefined
  const how = code === null ? `was ended by ${killedBy}` : `ended with code ${code}`
  return { kind: 'agent_failed', message: `The agent's command ${how}` }
}

function problemOf(error: unknown): Problem {
  return error instanceof RunError
    ? error.problem
    : { kind: 'agent_failed', message: "The agent's output could not be read" }
}

function watchMemory({ maxMemoryMb }: Execution, pid: number, end: (problem: Problem) => void): () => void {
  if (maxMemoryMb === undefined) return () => {}
  const look = async () => {
    const bytes = await groupMemory(pid)
    if (bytes === undefined || bytes <= maxMemoryMb * MIB) return
    const required = Math.ceil(bytes / MIB)
    end({
      kind: 'memory_limit',
      message: `The agent's command took ${required} MB of memory, more than the ${maxMemoryMb} MB that it may`,
      data: { limit_name: 'memory_mb', available: maxMemoryMb, required },
    })
  }
  const timer = setInterval(() => void look(), MEMORY_CHECK_MILLIS)
  return () => clearInterval(timer)
}

function logComplaints(child: ChildProcessWithoutNullStreams, run: string, log: StoreLog): void {
  const decoder = new TextDecoder()
  let lines = 0
  let unfinished = ''
  const say = (line: string) => {
    if (++lines <= LOGGED_LINES) log.info({ run, line: line.slice(0, LOGGED_LENGTH) }, 'the agent complains')
    if (lines === LOGGED_LINES) log.info({ run }, 'what else the agent complains of is not logged')
  }
  child.stderr.on('data', (chunk: Buffer) => {
    const complaints = (unfinished + decoder.decode(chunk, { stream: true })).split('\n')
    unfinished = (complaints.pop() ?? '').slice(0, LOGGED_LENGTH)
    for (const line of complaints) say(line)
  })
  child.stderr.once('end', () => {
    if (unfinished !== '') say(unfinished)
  })
}
