/** What to do with a daemon that runs, for whoever has just met it. README.md and docs/setup.md say the same. */
export const nextSteps = (self: string, data = ''): string =>
  [
    ['Connect an agent', `${self} init`, `or give any MCP client the command: ${self} mcp`],
    ['Connect a repository', `${self} invite${data}`, 'then there: cacpd join URL'],
    ['See what goes on', `${self} ui${data}`, 'a page in your browser, for people'],
    ['Look around', `${self} status${data}`, `everything else: ${self} --help`],
  ]
    .map(([wish, command, note]) => `  ${wish?.padEnd(21)} ${command}   (${note})`)
    .join('\n')
