/** A command that runs cacpd, to which arguments are added. */
export interface Command {
  readonly command: string
  readonly args: readonly string[]
}

/** Whether an entry of an MCP configuration runs a cacpd, installed here or on another machine. */
export function isOwnServer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { command, args } = value as { command?: unknown; args?: unknown }
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String)
  return words.at(-1) === 'mcp' && words.slice(0, -1).some(isCacpd)
}

const isCacpd = (word: string): boolean => /(?:^|[/\\])cacpd(?:\.js|\.cmd)?$/.test(word)

/** Whether a shell command runs that hook of a cacpd. */
export const isOwnHook = (line: unknown, words: string): boolean =>
  typeof line === 'string' &&
  line.trimEnd().endsWith(` ${words}`) &&
  /(?:^|[/\\'"\s])cacpd(?:\.js|\.cmd)?['"]?$/.test(line.trimEnd().slice(0, -words.length - 1))
