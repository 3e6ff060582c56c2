import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { createProject, propose } from './material.ts'
import { median } from './rounds.ts'
import { LAUNCHER, wholeProcess } from './whole-process.ts'
import type { RunningDaemon } from './workshop.ts'

const OTHER = 'aid://example.com/frontend-app@1.0.0'

/** What a coding agent waits for at every prompt: a whole process, from its start to its end. */
export async function hook({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('hook of a coding agent')
  const data = workshop.folder()
  const daemon = await workshop.daemon(data)
  const bringNews = await inboxOf(daemon)
  const run = (...words: string[]) =>
    wholeProcess(words, { input: '{"session_id":"bench"}', env: { CACP_DATA: data } })
  const prompt = () => run(LAUNCHER, 'hook', 'claude', 'UserPromptSubmit')
  if (!prompt().out.includes('additionalContext'))
    throw new Error('The hook has nothing to say; is it built?')

  const times = { bare: [] as number[], silent: [] as number[], telling: [] as number[] }
  // Few enough that a brief has room for all of it.
  const rounds = Math.ceil(10 / brevity)
  for (let round = 1; round <= rounds; round++) {
    progress.step(`round ${round} of ${rounds}`)
    times.bare.push(run('-e', '0').millis)
    const silent = prompt()
    await bringNews(round)
    const telling = prompt()
    if (silent.out !== '' || telling.out === '') throw new Error('The hook did not tell what was new, once')
    times.silent.push(silent.millis)
    times.telling.push(telling.millis)
  }
  await daemon.stop()

  const row = (name: string, took: readonly number[]) =>
    figure({
      name,
      unit: 'ms',
      ours: median(took),
      comparedWith: { name: 'node -e 0', value: median(times.bare) },
      ratio: median(took) / median(times.bare),
      goal: { of: 'ours', most: 200 },
      notes: [
        `from the start of the process to its end; median of ${took.length}, worst ${Math.max(...took).toFixed(0)} ms`,
      ],
    })
  return [
    row('hook at a prompt, nothing new ÷ bare node', times.silent),
    row('hook at a prompt, with news ÷ bare node', times.telling),
  ]
}

/** A project with another repository, whose agent asks for an answer each time. */
async function inboxOf(daemon: RunningDaemon): Promise<(number: number) => Promise<unknown>> {
  const { projectId } = await call(daemon, createProject(1))
  await call(daemon, { method: 'cacp/project/join', params: { projectId, repoName: 'frontend-app' } }, OTHER)
  const next = (number: number) => call(daemon, propose(String(projectId), number), OTHER)
  await next(0)
  return next
}

async function call(
  { port, key }: RunningDaemon,
  { method, params }: { method: string; params: unknown },
  agentId?: string,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      ...(agentId === undefined ? {} : { 'x-agent-id': agentId }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await answer.json()) as { result?: Record<string, unknown>; error?: object }
  if (result === undefined) throw new Error(`${method} was refused: ${JSON.stringify(error)}`)
  return result
}
