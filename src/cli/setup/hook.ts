import { parse } from 'node:path'
import { callQuickly, type QuickAnswer } from '../../io/outbound/quick-call.ts'
import { readText } from '../../io/outbound/read-body.ts'
import { type FoundDaemon, findDaemon } from '../../io/place/find-daemon.ts'
import { openHookMemory } from '../../io/setup/hook-memory.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { CLIENTS, type Hook, type HookInput, hookOf, hooksOf, inputFrom } from '../../setup/hooks/clients.ts'
import {
  type Brief,
  type Inbox,
  isNews,
  type Look,
  lookAt,
  newInboxItems,
  seen,
} from '../../setup/hooks/rules.ts'

/** What a hook knows of the world around it. */
interface HookPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the client says, until the signal ends it. */
  readInput(signal: AbortSignal): Promise<string>
  print(output: string): void
  /** How long all of it may take: the client waits, and so does whoever sits before it. */
  readonly patienceMillis: number
}

/** In tokens. Always the same, so that one brief can be compared with the one before. */
const BUDGET = 1500
const MOST_ITEMS = 200

/**
 * `cacpd hook CLIENT EVENT`: tells a coding agent what is new for this repository, once per session. Where nothing is,
 * no daemon runs or anything fails, nothing is printed: a hook must never stand in the way.
 */
export async function hook(words: readonly string[], place: HookPlace): Promise<void> {
  const [client = '', event = '', ...rest] = words
  const called = hookOf(client, event)
  if (called === undefined || rest.length > 0) throw new Error(usage(client))
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), place.patienceMillis)
  try {
    const answered = await Promise.race([answer(called, place, ended.signal), silence(ended.signal)])
    // Remembered only when it is about to be printed: a hook that ran out of time remembers nothing.
    await answered?.remember()
    if (answered?.output !== undefined) place.print(`${JSON.stringify(answered.output)}\n`)
  } catch {
    // A hook stays silent about failures; `cacpd doctor` finds their causes.
  } finally {
    clearTimeout(timer)
    ended.abort()
  }
}

function usage(client: string): string {
  const known = CLIENTS.find((name) => name === client)
  return known === undefined
    ? `client: must be one of ${CLIENTS.join(', ')}, as in \`cacpd hook claude SessionStart\``
    : `event: ${known} has ${hooksOf(known).join(', ')}, as in \`cacpd hook ${known} ${hooksOf(known)[0]}\``
}

const silence = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))

/** What the client is told, if anything, and how it is remembered. */
async function answer(called: Hook, place: HookPlace, signal: AbortSignal) {
  const input = inputFrom(jsonIn(await place.readInput(signal)))
  if (called.moment === 'stop' && input.mustStop) return undefined
  const found = await nearestDaemon(input, place)
  const { sessionId } = input
  // A client without a session ID gets the state at its start, and nothing later.
  if (sessionId === undefined && called.moment !== 'start') return undefined
  const memory =
    sessionId === undefined ? undefined : openHookMemory(found.dataDir, { client: called.client, sessionId })
  const before = lookIn(await memory?.read())
  const remembering = (look: Look) => async () => await memory?.write(look)

  if (called.moment === 'stop') {
    // For a session that never looked, nothing counts as new.
    if (before === undefined) return undefined
    const [inbox] = await callQuickly(found, [INBOX], signal)
    const { items, count } = resultOf<Inbox>(inbox)
    const text = newInboxItems({ items, count }, before)
    if (text === undefined) return undefined
    return { output: called.goOn(text), remember: remembering({ ...before, ...seen({ items, count }) }) }
  }

  const isForgetful = called.moment === 'start' && !input.isResumed
  const known = isForgetful ? undefined : before
  const { brief, inbox } = await lookNow(found, known?.cursor, signal)
  const output = isNews(brief, known) ? called.tell(brief.text) : undefined
  return { output, remember: remembering(lookAt(brief, inbox, known)) }
}

/** Where the client works; hooks may be run from anywhere. */
async function nearestDaemon({ folders }: HookInput, { env, cwd }: HookPlace): Promise<FoundDaemon> {
  const { CLAUDE_PROJECT_DIR: project } = env
  for (const folder of [...(project === undefined ? [] : [project]), ...folders]) {
    const found = await findDaemon({ env, cwd: folder }).catch(() => undefined)
    if (found !== undefined) return found
  }
  return await findDaemon({ env, cwd })
}

const INBOX = { method: 'cacp/inbox/list', params: { limit: MOST_ITEMS } }

async function lookNow(
  found: FoundDaemon,
  since: string | undefined,
  signal: AbortSignal,
): Promise<{ brief: Brief; inbox: Inbox }> {
  const params = { budget: BUDGET, ...(since === undefined ? {} : { since }) }
  const [brief, inbox] = await callQuickly(found, [{ method: 'cacp/brief', params }, INBOX], signal)
  // A cursor that this daemon does not know, because it was set up anew, leads nowhere: begin again.
  if (since !== undefined && brief?.error !== undefined) return await lookNow(found, undefined, signal)
  return { brief: resultOf<Brief>(brief), inbox: resultOf<Inbox>(inbox) }
}

function resultOf<Result>(answered: QuickAnswer | undefined): Result {
  if (answered?.result === undefined) throw new Error('The daemon refused a call')
  return answered.result as Result
}

/** Undefined where a file holds anything else than what we put there. */
function lookIn(value: unknown): Look | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { cursor, told, items, count } = value as Partial<Look>
  const isLook = typeof cursor === 'string' && isTexts(told) && isTexts(items) && typeof count === 'number'
  return isLook ? { cursor, told, items, count } : undefined
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string')

/** Together with the start of node a hook takes a second and a half at most. */
export const PATIENCE_MILLIS = 1300

const MOST_BYTES = 4 * 1024 * 1024

/**
 * Runs a hook without the rest of the command line, which would take longer to load than the hook to run. Never answers
 * 2: clients take that for an order to stop what they do.
 */
export async function runHook(words: readonly string[]): Promise<0 | 1> {
  try {
    await hook(words, processPlace())
    return 0
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n`)
    return 1
  }
}

function processPlace(): HookPlace {
  const { env, stdin, stdout } = process
  return {
    cwd: currentFolder(),
    env,
    readInput: (signal) => (stdin.isTTY ? Promise.resolve('') : inputUntil(signal)),
    print: (output) => void stdout.write(output),
    patienceMillis: PATIENCE_MILLIS,
  }
}

/** A working directory that was removed meanwhile belongs to no repository; a hook does not fail because of it. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return parse(process.execPath).root
  }
}

function inputUntil(signal: AbortSignal): Promise<string> {
  const { stdin } = process
  // An input that nobody closes would keep this process alive.
  signal.addEventListener('abort', () => stdin.destroy(), { once: true })
  return readText(stdin, MOST_BYTES)
}
