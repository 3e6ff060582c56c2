import type { AgentRegistered, RegisteredAgent } from '../domain/adp/registered-agent.ts'
import type { Fault } from '../protocol/fault.ts'
import type { Page } from './registry.ts'

/** What ADP's two documents and the CACP client each look for: all of it, in every answer. */
export function registeredAnswer({ agent, status }: AgentRegistered): object {
  return {
    success: true,
    message: `${agent.aid} is ${status}`,
    id: agent.aid,
    aid: agent.aid,
    status,
    verified: agent.key !== null,
    registeredAt: agent.registered_at,
    updatedAt: agent.renewed_at,
  }
}

/** JSON text, because only the text of a manifest has its numbers as they were signed. */
export function agentAnswer(agent: RegisteredAgent): string {
  const facts = {
    success: true,
    id: agent.aid,
    aid: agent.aid,
    name: agent.name,
    description: agent.description,
    status: 'registered',
    verified: agent.key !== null,
    registeredAt: agent.registered_at,
    updatedAt: agent.renewed_at,
  }
  return `${JSON.stringify(facts).slice(0, -1)},"manifest":${agent.text}}`
}

export function pageAnswer({ agents, total }: Page, facts: object): string {
  const results = `[${agents.map(agentAnswer).join(',')}]`
  return `${JSON.stringify({ success: true, total, ...facts }).slice(0, -1)},"results":${results}}`
}

/** Both of the ways in which ADP writes an error. Where ADP has a name of its own for it, the fault brings it along. */
export function refusalAnswer({ kind, message, details }: Fault): object {
  return { success: false, detail: message, error: kind, message, ...details }
}
