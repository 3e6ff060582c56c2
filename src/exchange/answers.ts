import type { AgentRegistered, RegisteredAgent } from '../domain/adp/registered-agent.ts'
import type { Fault } from '../protocol/fault.ts'
import type { Page } from './registry.ts'

/** Every answer has the fields that ADP's two documents and the CACP client expect. */
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

/** Returns JSON text, because only the original text of a manifest has its numbers as they were signed. */
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

/**
 * Both forms in which ADP writes an error. If ADP has its own name for the error, it is among the fault's details.
 */
export function refusalAnswer({ kind, message, details }: Fault): object {
  return { success: false, detail: message, error: kind, message, ...details }
}
