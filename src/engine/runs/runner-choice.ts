import type { Caller } from '../../domain/env.ts'
import type { Obstacle } from '../../domain/person/tasks.ts'
import { dropOldest } from '../../protocol/collections/drop-oldest.ts'
import { Fault } from '../../protocol/fault.ts'
import { DEFAULT_WORK, type RunRequest } from '../../protocol/run/request.ts'
import type { Clock } from '../ports/ports.ts'
import type { CommandAgent, Runner } from '../ports/run-ports.ts'

export interface RunnerChoiceDeps {
  /** By the kind of work; the one for DEFAULT_WORK answers when no command is configured. */
  readonly builtIns: ReadonlyMap<string, Runner>
  readonly command: CommandAgent | undefined
  readonly clock: Pick<Clock, 'now'>
}

export type RunnerChoice = ReturnType<typeof createRunnerChoice>

/** Of how many agents it is remembered that they were refused. */
const MOST_REFUSED = 50

/**
 * Chooses the runner of a request, by its kind of work and by who asks. The order: a command that is configured for this kind of work, a built-in, the default command; but plain questions
 * go to the default command. A caller that may not use the command gets the built-in, where there is one.
 */
export function createRunnerChoice({ builtIns, command, clock }: RunnerChoiceDeps) {
  /** By agent, the last time that it asked for work of the command without being allowed to. */
  const refused = new Map<string, Obstacle>()

  // Without a credential, as at an open daemon, anybody on this machine can call itself by a listed agent ID.
  const mayUse = (agent: CommandAgent, { kind, agentId, credential }: Caller): boolean =>
    kind === 'operator' || (kind === 'peer' && credential !== undefined && agent.allow.has(agentId))

  const takes = (agent: CommandAgent, work: string): boolean =>
    agent.workTypes.includes(work) || (agent.isDefault && (work === DEFAULT_WORK || !builtIns.has(work)))

  const workTypes = (caller: Caller): readonly string[] => {
    const commands = command !== undefined && mayUse(command, caller) ? command.workTypes : []
    return [...new Set([...builtIns.keys(), ...commands])]
  }

  /** Only a peer that has proven who it is can be allowed. */
  const noteRefused = ({ kind, agentId, repoName, credential }: Caller, workType: string): void => {
    if (kind !== 'peer' || credential === undefined) return
    refused.delete(agentId)
    refused.set(agentId, { kind: 'not_allowed', agentId, repoName, workType, at: clock.now() })
    dropOldest(refused, MOST_REFUSED)
  }

  return {
    workTypes,
    async obstacles(): Promise<readonly Obstacle[]> {
      if (command === undefined) return []
      const isTrusted = await command.isTrusted()
      return [...(isTrusted ? [] : [{ kind: 'untrusted_command' as const }]), ...refused.values()]
    },
    async choose({ work_type: work }: RunRequest, caller: Caller): Promise<Runner> {
      const builtIn = builtIns.get(work)
      if (command !== undefined && takes(command, work)) {
        if (mayUse(command, caller)) {
          if (await command.isTrusted()) return command.runner
          throw new Fault(
            'forbidden',
            'The agent command of this repository is not trusted on this machine',
            { next: 'Look at it and allow it with `cacpd config trust`' },
          )
        }
        if (builtIn === undefined) {
          noteRefused(caller, work)
          throw new Fault(
            'forbidden',
            `${caller.agentId} may not have the agent command of this repository run`,
            { next: 'Its operator can list that agent ID under agent.allow in config.json' },
          )
        }
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
