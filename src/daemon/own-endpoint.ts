import type { Config } from '../config/config.ts'
import type { Endpoint } from '../io/place/data-dir.ts'
import { processStart } from '../io/runner/process-start.ts'
import type { Parts } from './parts.ts'

type Listening = Pick<Parts, 'url' | 'port' | 'certificate'> & Pick<Endpoint, 'startedAt' | 'uiUrl'>

/** What is stored about a running daemon: how commands find it, and what the next start reuses. */
export async function ownEndpoint(
  { agentId, repo, role, language, publicUrl, guessed }: Config,
  { certificate, ...listening }: Listening,
): Promise<Endpoint> {
  return {
    ...listening,
    pid: process.pid,
    processStart: (await processStart(process.pid)) ?? 'unknown',
    agentId,
    repo,
    ...(certificate === undefined ? {} : { certificate: certificate.fingerprint }),
    ...(publicUrl === null ? {} : { publicUrl }),
    ...(guessed.includes('role') ? {} : { role }),
    ...(guessed.includes('language') ? {} : { language }),
  }
}
