import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../client.ts'
import { AGAIN_MILLIS, type CallFlags, withDaemon } from '../form/with-daemon.ts'
import type { Terminal } from '../output/terminal.ts'
import type { ContractReader } from './contracts.ts'

interface Following {
  readonly projectId: string
  readonly reader: ContractReader
  readonly flags: CallFlags
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** Called when the contracts may be others. */
  readonly onRead: () => void
}

/** Reads the contracts again whenever one changes. While the daemon is away, what was read last counts. */
export async function followContracts(following: Following): Promise<void> {
  const { flags, terminal, signal } = following
  while (!signal.aborted) {
    try {
      await withDaemon(flags, terminal, (client) => followOnce(client, following))
    } catch {
      // It is back sooner or later, or the mock ends first.
    }
    await sleep(AGAIN_MILLIS, undefined, { signal }).catch(() => {})
  }
}

async function followOnce(client: Client, { projectId, reader, signal, onRead }: Following): Promise<void> {
  let reading: Promise<void> | undefined
  let isOld = false
  const readAll = async () => {
    while (isOld) {
      isOld = false
      await reader.read(client)
      onRead()
    }
  }
  // The first event only says where it begins: what changed before that is read now.
  for await (const _ of client.follow({ projectId, kinds: ['contract'] }, { signal })) {
    isOld = true
    reading ??= readAll().finally(() => {
      reading = undefined
    })
    reading.catch(() => {})
  }
  await reading
}
