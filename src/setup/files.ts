import type { Agent } from './agents.ts'
import type { SetupFile } from './edit.ts'
import { claudeHooks, codexHooks, cursorHooks } from './hooks/files.ts'
import { jsonFile } from './json/file.ts'
import { type Command, isOwnServer } from './recognise.ts'
import { blockFile, importLine, settingsFile, wholeFile } from './text/files.ts'
import { tomlFile } from './text/toml-file.ts'
import { AGENTS_BLOCK, SKILL } from './texts.ts'

/** A file with the agents it is written for: without agents, for all of them. Hooks are written only on request. */
export interface PlannedFile extends SetupFile {
  readonly agents: readonly Agent[]
  readonly isHook: boolean
}

export interface Wanted {
  /** The command that runs cacpd here. */
  readonly command: Command
  /** For config.json; empty where none is to be written. */
  readonly settings: Readonly<Record<string, string>>
  readonly isWindows: boolean
}

/** Every file that is ever written, in this order: the files that others refer to come first. */
export function setupFiles(wanted: Wanted): readonly PlannedFile[] {
  const { command, settings } = wanted
  const server = run(command, ['mcp'])
  return [
    all(settingsFile('.cacp/config.json', 'what this repository is called', settings)),
    of(['claude'], mcpFile('.mcp.json', 'mcpServers', server)),
    of(['codex'], codexConfig(server)),
    // Cursor does not define in which folder it starts a server, but replaces this variable by the folder.
    of(['cursor'], mcpFile('.cursor/mcp.json', 'mcpServers', run(command, ['-C', WORKSPACE, 'mcp']))),
    of(['vscode'], mcpFile('.vscode/mcp.json', 'servers', { type: 'stdio', ...server })),
    all(blockFile('AGENTS.md', 'what agents should know', AGENTS_BLOCK)),
    of(['claude'], importLine('CLAUDE.md', 'has AGENTS.md read too', '@AGENTS.md')),
    of(['claude'], wholeFile('.claude/skills/cacp/SKILL.md', 'the skill', SKILL)),
    of(['codex', 'cursor', 'vscode'], wholeFile('.agents/skills/cacp/SKILL.md', 'the skill', SKILL)),
    hook('claude', claudeHooks(wanted)),
    hook('codex', codexHooks(wanted)),
    hook('cursor', cursorHooks(wanted)),
  ]
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor replaces this variable
const WORKSPACE = '${workspaceFolder}'

const run = ({ command, args }: Command, words: readonly string[]) => ({ command, args: [...args, ...words] })

const all = (file: SetupFile): PlannedFile => ({ ...file, agents: [], isHook: false })

const of = (agents: readonly Agent[], file: SetupFile): PlannedFile => ({ ...file, agents, isHook: false })

const hook = (agent: Agent, file: SetupFile): PlannedFile => ({ ...file, agents: [agent], isHook: true })

const mcpFile = (path: string, key: string, server: Readonly<Record<string, unknown>>): SetupFile =>
  jsonFile({
    path,
    purpose: 'the MCP server',
    entries: [
      {
        path: [key, 'cacp'],
        value: server,
        telling: server,
        isItem: false,
        find: (existing) => (isOwnServer(existing) ? { at: [], whole: [] } : undefined),
      },
    ],
  })

/**
 * A wait takes up to 50 s, and a daemon may have to be started first; the defaults of Codex, 60 s and 10 s, are too
 * short.
 */
const codexConfig = (server: Command): SetupFile =>
  tomlFile({
    path: '.codex/config.toml',
    purpose: 'the MCP server',
    keys: ['mcp_servers', 'cacp'],
    values: { ...server, startup_timeout_sec: 20, tool_timeout_sec: 300 },
    telling: ['command', 'args'],
  })
