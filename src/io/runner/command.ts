import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandAgent } from '../../engine/ports/run-ports.ts'
import { type AgentSettings, hasCommand } from '../../protocol/agent/settings.ts'
import { isTrusted } from '../identity/trusted.ts'
import type { StoreLog } from '../store/store-log.ts'
import { endLeftovers, runFolder } from './command-files.ts'
import { execute } from './command-process.ts'

interface CommandAgentOptions {
  readonly settings: AgentSettings
  readonly root: string
  readonly dataDir: string
  readonly stateDir: string
  readonly log: StoreLog
}

/**
 * The agent that the operator configured: a program that gets the prompt on its standard input and writes its answer
 * to its standard output. Undefined where none is configured.
 */
export async function createCommandAgent(options: CommandAgentOptions): Promise<CommandAgent | undefined> {
  const { settings, root, dataDir, log } = options
  const folder = join(dataDir, 'agent')
  await endLeftovers(folder)
  if (!hasCommand(settings)) return undefined
  return {
    workTypes: Object.keys(settings.commands),
    isDefault: settings.command !== undefined,
    allow: new Set(settings.allow),
    isTrusted: () => isTrusted('agent', settings, options),
    runner: {
      name: 'command',
      limit: settings.concurrency,
      async run(request, context) {
        const { commands, command, output } = settings
        const { work_type: work, hints } = request
        const files = runFolder(folder, context.runId)
        try {
          await mkdir(folder, { recursive: true, mode: 0o700 })
          await files.writeRequest(request, context)
          return await execute({
            command: (Object.hasOwn(commands, work) ? commands[work] : command) ?? [],
            root,
            request,
            context,
            files,
            output,
            maxMemoryMb: lowest(hints.max_memory_mb, settings.maxMemoryMb),
            log,
          })
        } finally {
          await files.remove()
        }
      },
    },
  }
}

function lowest(...limits: readonly (number | undefined)[]): number | undefined {
  const given = limits.filter((limit) => limit !== undefined)
  return given.length === 0 ? undefined : Math.min(...given)
}
