import type { Config } from '../config/config.ts'
import type { ServerCertificate } from '../io/identity/certificate.ts'
import type { Endpoint } from '../io/place/data-dir.ts'
import { processStart } from '../io/runner/process-start.ts'

interface Listening extends Pick<Endpoint, 'url' | 'port' | 'startedAt' | 'uiUrl'> {
  readonly certificate: ServerCertificate | undefined
}

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

/** The address at which other daemons call it. */
export const addressIn = ({ publicUrl, url }: Endpoint): string => publicUrl ?? url
