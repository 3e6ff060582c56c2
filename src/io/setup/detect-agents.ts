import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AGENT_NAMES, AGENTS, type Agent } from '../../setup/agents.ts'
import { type Env, onPath } from '../place/own-command.ts'

/** The coding agents that left files in the repository, or are installed on this machine. */
export async function detectAgents(root: string, env: Env) {
  const found: Agent[] = []
  for (const agent of AGENT_NAMES) {
    const { traces, commands } = AGENTS[agent]
    const signs = [
      ...traces.map((trace) => stat(join(root, trace)).catch(() => undefined)),
      ...commands.map((command) => onPath(command, env)),
    ]
    if ((await Promise.all(signs)).some((sign) => sign !== undefined)) found.push(agent)
  }
  return found
}
