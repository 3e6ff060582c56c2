import { open } from 'node:fs/promises'
import { loadNats } from '../../src/io/hub/load-nats.ts'
import { endWithParent, tell } from '../child.ts'

/** What reading a stream to its end costs anyway: an ordered consumer that writes each message to a synced file. */
export interface ConsumerJob {
  readonly port: number
  readonly stream: string
  readonly path: string
}

/** As much as one frame of the journal holds. */
const BATCH = { messages: 400, bytes: 1024 * 1024 }

endWithParent()
const { port, stream, path } = JSON.parse(process.argv[2] ?? '') as ConsumerJob
const { connect, jetstream, jetstreamManager } = await loadNats()
const connection = await connect({ servers: `127.0.0.1:${port}` })
const manager = await jetstreamManager(connection)
const { last_seq: last } = (await manager.streams.info(stream)).state
await using file = await open(path, 'w')

const begin = performance.now()
const consumer = await jetstream(connection).consumers.get(stream)
let texts: string[] = []
let bytes = 0
let count = 0
for await (const message of await consumer.consume({ max_messages: 2 * BATCH.messages })) {
  const text = message.string()
  texts.push(text)
  bytes += text.length
  count++
  if (texts.length >= BATCH.messages || bytes >= BATCH.bytes || message.seq >= last) {
    await file.write(`${texts.join('\n')}\n`)
    await file.datasync()
    texts = []
    bytes = 0
  }
  if (message.seq >= last) break
}
const ms = performance.now() - begin
await connection.close()
tell({ ms, count })
