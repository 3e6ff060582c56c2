import { signal } from '@preact/signals'
import type { CallFault } from '../call/fault.ts'
import { askJson } from '../call/http.ts'
import { sessionEnded } from './ended.ts'
import { HALF_NAME } from './half.ts'

/** Whose daemon this is, as it says to the holder of a session. */
export interface Session {
  readonly sessionId: string
  readonly agentId: string
  readonly repo: string
  /** Six words, by which people know the key of this daemon. */
  readonly words: string
  readonly version: string
  readonly build: string
  readonly baseUrl: string
  /** Where the changes were when it was asked: those of the stream begin there. */
  readonly cursor: string
}

/** Undefined until the daemon answered. */
export const session = signal<Session | undefined>(undefined)
/** Why there is no session. */
export const refusal = signal<CallFault | undefined>(undefined)

/** Uses the code that the address may have, and asks whose daemon this is. */
export async function openSession(): Promise<void> {
  const code = takeCode()
  if (code !== undefined) await exchange(code)
  await askWhose()
}

export async function askWhose(): Promise<void> {
  const asked = await askJson<Session>('/ui/session')
  if (asked.ok) {
    session.value = asked.result
    refusal.value = undefined
    sessionEnded.value = false
    return
  }
  if (asked.fault.kind !== 'unauthorized') refusal.value = asked.fault
  else sessionEnded.value = true
}

/** Another tab of this browser has a new session: it is this one's, too. Or a new link was put into the address of this page. */
export function followLogins(): void {
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#c=')) void openSession()
  })
  addEventListener('storage', ({ key, newValue }) => {
    if (key === HALF_NAME && newValue !== null) void askWhose()
  })
}

export async function logOut(): Promise<void> {
  await askJson('/ui/session', { method: 'DELETE' })
  localStorage.removeItem(HALF_NAME)
  sessionEnded.value = true
}

/** The code leaves the address before anything else happens. */
function takeCode(): string | undefined {
  const code = /^#c=([\w-]+)$/.exec(location.hash)?.[1]
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  return code
}

async function exchange(code: string): Promise<void> {
  const given = await askJson<{ token: string }>('/ui/session', { method: 'POST', body: { code } })
  if (given.ok) localStorage.setItem(HALF_NAME, given.result.token)
  else refusal.value = given.fault
}
