import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { endWithParent, tell } from './child.ts'
import { NEW_ID } from './dialect-requests.ts'

/**
 * The reader of streams, a process of its own so that it takes no time from what it measures. It looks for
 * nothing but the marks of the deltas: it has to be much faster than any server it drives.
 */
export interface StreamJob {
  port: number
  /** A whole HTTP request. */
  request: string
  /** How many at the same time, each on a connection of its own. */
  streams: number
  /** What is once in every delta, and nowhere else. */
  mark: string
  /** How many each stream must have. */
  deltas: number
}

export interface StreamLoad {
  deltasPerSecond: number
  /** From the request to its first delta, of the stream in the middle. */
  firstMs: number
}

endWithParent()
process.on('message', (job: StreamJob) => {
  run(job).then(
    (load) => tell({ load }),
    (error: unknown) => tell({ error: String(error) }),
  )
})

async function run(job: StreamJob): Promise<StreamLoad> {
  const sockets = Array.from({ length: job.streams }, () =>
    connect({ port: job.port, host: '127.0.0.1', noDelay: true }),
  )
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const begin = performance.now()
  const firsts = await Promise.all(sockets.map((socket) => read(socket, job)))
  const seconds = (performance.now() - begin) / 1000
  firsts.sort((a, b) => a - b)
  return {
    deltasPerSecond: (job.streams * job.deltas) / seconds,
    firstMs: firsts[firsts.length >> 1] ?? Number.NaN,
  }
}

/** Reads one stream to its end; how long its first delta took. */
function read(socket: ReturnType<typeof connect>, { request, mark, deltas }: StreamJob): Promise<number> {
  const begin = performance.now()
  const wanted = Buffer.from(mark)
  let found = 0
  let first = Number.NaN
  /** What may be the beginning of a mark that goes on in the next chunk. */
  let rest: Buffer = Buffer.alloc(0)
  let beginning = ''
  socket.on('data', (chunk) => {
    if (beginning.length < 600) beginning += chunk.toString('latin1', 0, 600)
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = bytes.indexOf(wanted)
    let end = 0
    while (at !== -1) {
      if (found++ === 0) first = performance.now() - begin
      end = at + wanted.length
      at = bytes.indexOf(wanted, end)
    }
    rest = bytes.subarray(Math.max(end, bytes.length - wanted.length + 1))
  })
  socket.write(request.replaceAll(NEW_ID, randomUUID()))
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => {
      if (found === deltas) resolve(first)
      else reject(new Error(`${found} of ${deltas} deltas, so no figure: ${beginning.slice(0, 600)}`))
    })
  })
}
