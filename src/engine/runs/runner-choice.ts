import type { Caller } from '../../domain/env.ts'
import { Fault } from '../../protocol/fault.ts'
import { DEFAULT_WORK, type RunRequest } from '../../protocol/run/request.ts'
import type { CommandAgent, Runner } from '../ports/run-ports.ts'

export interface RunnerChoiceDeps {
  /** By the kind of work; the one for DEFAULT_WORK answers when no command is configured. */
  readonly builtIns: ReadonlyMap<string, Runner>
  readonly command: CommandAgent | undefined
}

/** Chooses the runner of a request, by its kind of work and by who asks. */
export interface RunnerChoice {
  choose(request: RunRequest, caller: Caller): Promise<Runner>
  workTypes(caller: Caller): readonly string[]
}

/**
 * The order: a command that is configured for this kind of work, a built-in, the default command; but plain questions
 * go to the default command. A caller that may not use the command gets the built-in, where there is one.
 */
export function createRunnerChoice({ builtIns, command }: RunnerChoiceDeps): RunnerChoice {
  // Without a credential, as at an open daemon, anybody on this machine can call itself by a listed agent ID.
  const mayUse = (agent: CommandAgent, { kind, agentId, credential }: Caller): boolean =>
    kind === 'operator' || (kind === 'peer' && credential !== undefined && agent.allow.has(agentId))

  const takes = (agent: CommandAgent, work: string): boolean =>
    agent.workTypes.includes(work) || (agent.isDefault && (work === DEFAULT_WORK || !builtIns.has(work)))

  const workTypes = (caller: Caller): readonly string[] => {
    const commands = command !== undefined && mayUse(command, caller) ? command.workTypes : []
    return [...new Set([...builtIns.keys(), ...commands])]
  }

  return {
    workTypes,
    async choose({ work_type: work }, caller) {
      const builtIn = builtIns.get(work)
      if (command !== undefined && takes(command, work)) {
        if (mayUse(command, caller)) {
          if (await command.isTrusted()) return command.runner
          throw new Fault(
            'forbidden',
            'The agent command of this repository is not trusted on this machine',
            {
              next: 'Look at it and allow it with `cacpd config trust`',
            },
          )
        }
        if (builtIn === undefined)
          throw new Fault(
            'forbidden',
            `${caller.agentId} may not have the agent command of this repository run`,
            {
              next: 'Its operator can list that agent ID under agent.allow in config.json',
            },
          )
      }
      if (builtIn !== undefined) return builtIn
      const supported = workTypes(caller)
      throw new Fault('unsupported_work_type', `Nobody here does work of the type ${work.slice(0, 100)}`, {
        next: `Ask for one of ${supported.join(', ')}`,
        data: { work_type_requested: work, supported_types: supported },
      })
    },
  }
}
