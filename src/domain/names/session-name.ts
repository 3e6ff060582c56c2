/**
 * What coding agents tell the programs that they start about the session they are in. Claude Code tells it to its MCP
 * servers, too.
 */
const TOLD_BY_CLIENTS = [
  ['CLAUDE_CODE_SESSION_ID', 'Claude Code session'],
  ['CODEX_THREAD_ID', 'Codex thread'],
] as const

/** Enough of an id to tell sessions apart. Ids that begin with the time differ at their end. */
const ID_LENGTH = 12

/** By which the other sessions of a repository know this one; undefined where nobody says. */
export function sessionName(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { CACP_SESSION: named } = env
  if (named !== undefined && named.trim() !== '') return named
  for (const [variable, whose] of TOLD_BY_CLIENTS) {
    const id = shortId(env[variable] ?? '')
    if (id !== '') return `${whose} ${id}`
  }
  return undefined
}

/** The end of an id, whatever it is made of, as part of a name. */
export const shortId = (id: string): string => id.replace(/[^\w-]/g, '').slice(-ID_LENGTH)
