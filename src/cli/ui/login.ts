import { createDaemonHttp } from '../../io/outbound/daemon-http.ts'
import type { FoundDaemon } from '../../io/place/find-daemon.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { CommandError } from '../program/report.ts'

/** A code as the daemon tells it, with the address that opens the dashboard. */
export interface Login {
  readonly codeId: string
  readonly url: string
  /** The same for other machines, where they may use it. */
  readonly remoteUrl?: string
  readonly expiresAt: string
  readonly words: string
}

export interface LoginState {
  readonly status: 'waiting' | 'used' | 'expired'
  readonly sessionId?: string
  readonly userAgent?: string
  readonly address?: string
}

/** Longer than the daemon takes to say that nobody has used a code yet. */
const ANSWER_MILLIS = 40_000

/** Has one daemon let a browser in. */
export async function withLogin<Result>(
  daemon: FoundDaemon,
  use: (login: Login, ended: () => Promise<LoginState>) => Promise<Result>,
): Promise<Result> {
  const { url, certificate, uiUrl, repo } = daemon.endpoint
  if (uiUrl === undefined)
    throw new CommandError(
      `The daemon of ${repo} shows no dashboard: ui is false in its settings`,
      'unavailable',
      'Take that out of config.json or CACP_UI, and start it anew: `cacpd down`, then `cacpd up -d`',
    )
  const headers = { authorization: `Bearer ${daemon.key}` }
  const http = createDaemonHttp({ url, headers, timeoutMs: ANSWER_MILLIS, certificate })
  try {
    const login = answered<Login>(await http.post('ui/login-codes', {}))
    const ended = async () => {
      for (;;) {
        const state = answered<LoginState>(await http.get(`ui/login-codes/${login.codeId}`))
        if (state.status !== 'waiting') return state
      }
    }
    return await use(login, ended)
  } finally {
    await http.close()
  }
}

/** The answer of a route, or its refusal thrown. */
function answered<Answer>(answer: unknown): Answer {
  const error = isJsonObject(answer) ? answer['error'] : undefined
  if (!isJsonObject(error)) return answer as Answer
  const { message, kind, next } = error
  throw new CommandError(String(message), String(kind), typeof next === 'string' ? next : undefined)
}
