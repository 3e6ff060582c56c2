import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunContext } from '../../engine/ports/run-ports.ts'
import type { RunRequest } from '../../protocol/run/request.ts'
import { endLeftover, type ProcessTree } from './process-tree.ts'

const REQUEST = '.request.json'
const PROCESS = '.process.json'

/** A variable that all processes of a run have in their environment. */
export const variableOf = (runId: string): string => `CACP_RUN_ID=${runId}`

export type RunFolder = ReturnType<typeof runFolder>

/**
 * The two files of a running command: the request, which the command reads; and its process, for the next start of
 * the daemon.
 */
export function runFolder(folder: string, runId: string) {
  const requestPath = join(folder, `${runId}${REQUEST}`)
  const processPath = join(folder, `${runId}${PROCESS}`)
  return {
    requestPath,
    /** Written before the process starts, so that no process is ever without a file. */
    async writeRequest({ wire: _, ...asked }: RunRequest, context: RunContext): Promise<void> {
      const { attempt, asker, history } = context
      const asked_by = { kind: asker.kind, agent_id: asker.agentId, repo_name: asker.repoName }
      const about = { run_id: runId, attempt, asked_by, ...asked, history: await history() }
      await writeFile(requestPath, `${JSON.stringify(about, null, 2)}\n`, { mode: 0o600 })
    },
    writeProcess: ({ pid, start }: ProcessTree): Promise<void> =>
      writeFile(processPath, JSON.stringify({ pid, start }), { mode: 0o600 }),
    async remove(): Promise<void> {
      await rm(requestPath, { force: true })
      await rm(processPath, { force: true })
    },
  }
}

/** Ends the commands that were left running when the daemon stopped last, and removes their files. */
export async function endLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.endsWith(REQUEST))) {
    const runId = name.slice(0, -REQUEST.length)
    await endLeftover(await leftover(folder, runId))
  }
  for (const name of names) if (/\.(?:request|process)\.json$/.test(name)) await rm(join(folder, name))
}

async function leftover(folder: string, runId: string): Promise<ProcessTree> {
  const mark = variableOf(runId)
  try {
    const text = await readFile(join(folder, `${runId}${PROCESS}`), 'utf8')
    const { pid, start } = JSON.parse(text) as { pid: number; start?: string }
    return { pid, start, mark }
  } catch {
    // The daemon ended between writing the two files: the processes are found by the variable alone.
    return { pid: 0, start: undefined, mark }
  }
}
