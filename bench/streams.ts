import type { ChildProcess } from 'node:child_process'
import type { Bench } from './bench.ts'
import { type DialectRequest, dialectRequests, type Echo, streamRequest } from './dialect-requests.ts'
import { type Figure, figure } from './figure.ts'
import { median } from './rounds.ts'
import type { StreamJob, StreamLoad } from './stream-load.ts'
import { answerOf, type Running } from './workshop.ts'

const STREAMS = 100
const TEXT = 'The contract for the login is agreed. '
const DELTAS = 500
const ROUNDS = 5
/** Requests after each other whose first delta is waited for. */
const SINGLES = 15

interface Contestant {
  name: string
  server: Running
  request: DialectRequest
}

/** Every dialect that streams, against a bare event stream of the same text. */
export async function streams({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('dialects')
  const daemon = await workshop.daemon(workshop.folder())
  const bare = await workshop.server('sse-server.ts')
  const reader = workshop.fork('stream-load.ts')
  const echo: Echo = { text: TEXT, repeat: DELTAS }
  const bareRequest = { path: '/', body: echo, mark: '"delta":' }
  const contestants: Contestant[] = [
    { name: BARE, server: bare, request: bareRequest },
    ...Object.entries(dialectRequests(echo)).map(([name, request]) => ({ name, server: daemon, request })),
  ]
  const many = new Map<string, StreamLoad[]>()
  const single = new Map<string, StreamLoad[]>()
  const measure = async (one: Contestant, count: number, into?: Map<string, StreamLoad[]>) => {
    const load = await readStreams(reader, one, count)
    into?.set(one.name, [...(into.get(one.name) ?? []), load])
  }

  for (const one of contestants) {
    progress.step(`warming up ${one.name}`)
    await measure(one, STREAMS)
  }
  for (let round = 1; round <= Math.ceil(ROUNDS / brevity); round++) {
    progress.step(`round ${round}`)
    for (const one of contestants) await measure(one, STREAMS, many)
  }
  progress.step('first deltas')
  for (let time = 1; time <= Math.ceil(SINGLES / brevity); time++)
    for (const one of contestants) await measure(one, 1, single)
  await Promise.all([daemon.stop(), bare.stop()])

  const names = contestants.map(({ name }) => name).filter((name) => name !== BARE)
  return [
    ...names.map((name) => throughput(name, many.get(name) ?? [], many.get(BARE) ?? [])),
    ...names.map((name) => firstDelta(name, single.get(name) ?? [], single.get(BARE) ?? [])),
  ]
}

const BARE = 'bare SSE'

function throughput(name: string, ours: readonly StreamLoad[], bare: readonly StreamLoad[]): Figure {
  const of = (loads: readonly StreamLoad[]) => median(loads.map(({ deltasPerSecond }) => deltasPerSecond))
  const waited = median(ours.map(({ firstMs }) => firstMs))
  return figure({
    name: `${name} ÷ bare SSE`,
    unit: 'deltas/s',
    ours: of(ours),
    comparedWith: { name: BARE, value: of(bare) },
    ratio: of(ours) / of(bare),
    goal: { of: 'ratio', least: 0.5 },
    notes: [
      `${STREAMS} streams at once, each with ${DELTAS} deltas of ${TEXT.length} characters and a run of its own on disk; ` +
        `the first delta after ${waited.toFixed(1)} ms (p50)`,
    ],
  })
}

function firstDelta(name: string, ours: readonly StreamLoad[], bare: readonly StreamLoad[]): Figure {
  const of = (loads: readonly StreamLoad[]) => median(loads.map(({ firstMs }) => firstMs))
  return figure({
    name: `${name}: request to first delta`,
    unit: 'ms',
    ours: of(ours),
    comparedWith: { name: BARE, value: of(bare) },
    ratio: of(ours) / of(bare),
    goal: null,
    notes: ['one stream at a time; ours is on disk before it begins'],
  })
}

async function readStreams(
  reader: ChildProcess,
  { server, request }: Contestant,
  count: number,
): Promise<StreamLoad> {
  const job: StreamJob = {
    port: server.port,
    request: streamRequest(request, server.key),
    streams: count,
    mark: request.mark,
    deltas: DELTAS,
  }
  reader.send(job)
  const answer = await answerOf<{ load: StreamLoad } | { error: string }>(reader, 'stream-load.ts')
  if ('error' in answer) throw new Error(answer.error)
  return answer.load
}
