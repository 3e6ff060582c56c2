import type { SetupFile } from '../edit.ts'
import type { JsonEntry } from '../json/entry.ts'
import { jsonFile } from '../json/file.ts'
import { type Command, isOwnHook } from '../recognise.ts'
import { shellLine } from '../service/shell-line.ts'

interface For {
  readonly command: Command
  readonly isWindows: boolean
}

/** A hook answers within two seconds; the agent waits at most this long. */
const TIMEOUT_SECONDS = 10

/** All events by which a session gets a fresh context. */
const SESSION_STARTS = 'startup|resume|clear|compact'

const threeLevels = (path: string, agent: 'claude' | 'codex', wanted: For): SetupFile =>
  jsonFile({
    path,
    purpose: 'hooks',
    entries: [
      nested(agent, 'SessionStart', wanted, { matcher: SESSION_STARTS }),
      nested(agent, 'UserPromptSubmit', wanted),
      nested(agent, 'Stop', wanted),
    ],
  })

export const claudeHooks = (wanted: For): SetupFile => threeLevels('.claude/settings.json', 'claude', wanted)

export const codexHooks = (wanted: For): SetupFile => threeLevels('.codex/hooks.json', 'codex', wanted)

export const cursorHooks = (wanted: For): SetupFile =>
  jsonFile({
    path: '.cursor/hooks.json',
    purpose: 'hooks',
    companion: { key: 'version', value: 1 },
    entries: [flat('sessionStart', wanted), flat('stop', wanted, { loop_limit: 5 })],
  })

/** The format of Claude Code and Codex: for an event a list of groups, in each a list of hooks. */
function nested(agent: string, event: string, wanted: For, group: object = {}): JsonEntry {
  const words = `hook ${agent} ${event}`
  const telling = { command: line(wanted, words) }
  return {
    path: ['hooks', event],
    value: { ...group, hooks: [{ type: 'command', ...telling, timeout: TIMEOUT_SECONDS }] },
    telling,
    isItem: true,
    find: (groups) => {
      const hooks = lists(groups).map((group) => lists((group as { hooks?: unknown } | null)?.hooks))
      for (const [index, list] of hooks.entries()) {
        const place = list.findIndex((hook) => runs(hook, words))
        // The user may have put another hook into our group.
        const at = [index, 'hooks', place]
        if (place >= 0) return { at, whole: list.length === 1 ? [index] : at }
      }
      return undefined
    },
  }
}

/** The format of Cursor: for an event a list of hooks. */
function flat(event: string, wanted: For, more: object = {}): JsonEntry {
  const words = `hook cursor ${event}`
  const telling = { command: line(wanted, words) }
  return {
    path: ['hooks', event],
    value: { ...telling, ...more },
    telling,
    isItem: true,
    find: (hooks) => {
      const place = lists(hooks).findIndex((hook) => runs(hook, words))
      return place < 0 ? undefined : { at: [place], whole: [place] }
    },
  }
}

const line = ({ command: { command, args }, isWindows }: For, words: string): string =>
  `${shellLine([command, ...args], isWindows)} ${words}`

const runs = (hook: unknown, words: string): boolean =>
  isOwnHook((hook as { command?: unknown } | null)?.command, words)

const lists = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
