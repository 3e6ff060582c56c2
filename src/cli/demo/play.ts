import { join } from 'node:path'
import { type Client, connect } from '../../client.ts'
import { type DemoDaemon, startDemoDaemon } from '../../io/demo/daemon.ts'
import { openDemoPlace } from '../../io/demo/place.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Actor } from './acts.ts'

export type Play = Awaited<ReturnType<typeof openPlay>>

interface Repository {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly isOpen?: boolean
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Owns the folders and processes of one demo, and leaves nothing behind however it ends. */
export async function openPlay({ env }: Pick<Terminal, 'env'>) {
  const place = await openDemoPlace()
  const daemons: DemoDaemon[] = []
  const clients: Client[] = []
  const interrupted = new AbortController()
  const signal: AbortSignal = interrupted.signal

  // Whoever sends a second signal does not want to wait.
  const onSignal = () => (signal.aborted ? process.exit(1) : interrupted.abort())
  const onExit = () => {
    for (const daemon of daemons) daemon.kill()
    place.remove()
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  process.on('exit', onExit)

  return {
    folder: place.folder,
    get pids(): readonly number[] {
      return daemons.map(({ pid }) => pid)
    },
    /** Aborted by a signal to this process. */
    signal,

    async addActor({ name, files, isOpen = false }: Repository): Promise<Actor & { readonly pid: number }> {
      const root = await place.addRepository(name, files)
      signal.throwIfAborted()
      const daemon = startDemoDaemon({
        root,
        stateDir: join(place.folder, 'state'),
        logFile: join(place.folder, `${name}.log`),
        isOpen,
        env,
      })
      daemons.push(daemon)
      const { url, key } = await daemon.listening()
      const client = await connect({ url, key })
      clients.push(client)
      return { repo: name, root, client, pid: daemon.pid }
    },

    async end({ keep }: { keep: boolean }): Promise<void> {
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()))
      if (keep) for (const daemon of daemons) daemon.release()
      else {
        await Promise.all(daemons.map((daemon) => daemon.stop()))
        place.remove()
      }
      process.off('exit', onExit)
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}
