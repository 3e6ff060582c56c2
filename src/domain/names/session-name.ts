/**
 * Environment variables in which coding agents pass their session to the programs that they start. Claude Code passes
 * it to its MCP servers, too.
 */
const SESSION_VARIABLES = [
  ['CLAUDE_CODE_SESSION_ID', 'Claude Code session'],
  ['CODEX_THREAD_ID', 'Codex thread'],
] as const

/** Enough of an id to distinguish sessions. Ids that begin with the time differ at their end. */
const ID_LENGTH = 12

/** The name by which other sessions of a repository know this one; undefined if nothing gives one. */
export function sessionName(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { CACP_SESSION: named } = env
  if (named !== undefined && named.trim() !== '') return named
  for (const [variable, whose] of SESSION_VARIABLES) {
    const id = shortId(env[variable] ?? '')
    if (id !== '') return `${whose} ${id}`
  }
  return undefined
}

/** The end of an id, without special characters, as part of a name. */
export const shortId = (id: string): string => id.replace(/[^\w-]/g, '').slice(-ID_LENGTH)
