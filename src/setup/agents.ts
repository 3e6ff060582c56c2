/** The coding agents that can be set up, and the files and commands by which their use is detected. */
export const AGENTS = {
  claude: {
    title: 'Claude Code',
    traces: ['.claude', 'CLAUDE.md', '.mcp.json'],
    commands: ['claude'],
    hint: { of: '.mcp.json', text: 'Claude Code asks once whether it may use the server of .mcp.json.' },
  },
  codex: {
    title: 'Codex',
    traces: ['.codex', '.agents', 'AGENTS.md'],
    commands: ['codex'],
    hint: {
      of: '.codex/config.toml',
      text: 'Codex reads .codex/config.toml only in a project that it was told to trust.',
    },
  },
  cursor: {
    title: 'Cursor',
    traces: ['.cursor', '.cursorrules'],
    commands: ['cursor', 'cursor-agent'],
    hint: {
      of: '.cursor/mcp.json',
      text: 'Cursor shows the server under Settings, MCP, where it is switched on.',
    },
  },
  vscode: {
    title: 'VS Code',
    traces: ['.vscode', '.github/copilot-instructions.md'],
    commands: ['code'],
    hint: {
      of: '.vscode/mcp.json',
      text: 'VS Code asks whether to trust the server of .vscode/mcp.json when it starts it.',
    },
  },
} as const

export type Agent = keyof typeof AGENTS

export const AGENT_NAMES = Object.keys(AGENTS) as readonly Agent[]

export const isAgent = (name: string): name is Agent => Object.hasOwn(AGENTS, name)

/** What the user should know once the hooks are there: Codex runs a hook only after the user has trusted it. */
export const HOOK_HINTS: Readonly<Partial<Record<Agent, { of: string; text: string }>>> = {
  codex: {
    of: '.codex/hooks.json',
    text: 'Codex runs the hooks of .codex/hooks.json only after you have trusted each of them in /hooks.',
  },
}
