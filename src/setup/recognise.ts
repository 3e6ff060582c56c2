/** Words that run cacpd, to which those of the user are added. */
export interface Command {
  readonly command: string
  readonly args: readonly string[]
}

/** Whether an entry of an MCP configuration runs some cacpd, ours or that of another machine. */
export function isOwnServer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { command, args } = value as { command?: unknown; args?: unknown }
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String)
  return words.at(-1) === 'mcp' && words.slice(0, -1).some(isCacpd)
}

const isCacpd = (word: string): boolean => /(?:^|[/\\])cacpd(?:\.js|\.cmd)?$/.test(word)

/** Whether a line for the shell runs that hook of some cacpd. */
export const isOwnHook = (line: unknown, words: string): boolean =>
  typeof line === 'string' &&
  line.trimEnd().endsWith(` ${words}`) &&
  /(?:^|[/\\'"\s])cacpd(?:\.js|\.cmd)?['"]?$/.test(line.trimEnd().slice(0, -words.length - 1))
