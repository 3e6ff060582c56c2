import type { ObjectStore } from '@nats-io/obj'
import { hubFault } from '../../domain/hub/trouble.ts'
import type { HubRooms } from '../../engine/ports/hub-rooms.ts'
import type { OpenNats } from './nats-hub.ts'
import type { AskBucket } from './rooms.ts'

/** Files in a bucket of objects, by their SHA-256. */
export function fileRoom(
  { nats, connection, manager }: OpenNats,
  { bucket, asking }: { bucket: string; asking: AskBucket },
): HubRooms['files'] {
  const client = nats.jetstream(connection, manager.getOptions())
  let store: Promise<ObjectStore> | undefined
  const opened = (): Promise<ObjectStore> => {
    store ??= new nats.Objm(client).open(bucket).catch((error: unknown) => {
      store = undefined
      throw error
    })
    return store
  }
  return {
    has: (sha256) =>
      asking(bucket, async () => {
        const found = await (await opened()).info(sha256)
        return found !== null && !found.deleted
      }),
    put: (sha256, bytes) =>
      asking(bucket, async () => {
        await (await opened()).put({ name: sha256 }, ReadableStream.from(bytes))
      }),
    get: (sha256) =>
      asking(bucket, async () => {
        const found = await (await opened()).get(sha256)
        return found === null ? undefined : bytesOf(found)
      }),
  }
}

/** How long the hub may pause in the middle of a file. */
const PAUSE_MILLIS = 20_000

async function inTime<Result>(reading: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(hubFault('slow', 'The hub stopped in the middle of a file')),
      PAUSE_MILLIS,
    )
  })
  return await Promise.race([reading, late]).finally(() => clearTimeout(timer))
}

/** The store compares sizes and hashes of its own, and says only at the end what is wrong. */
async function* bytesOf({ data, error }: NonNullable<Awaited<ReturnType<ObjectStore['get']>>>) {
  const reader = data.getReader()
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read())
      if (done) break
      yield value
    }
    const wrong = await error
    if (wrong instanceof Error) throw wrong
  } finally {
    await reader.cancel().catch(() => {})
  }
}
