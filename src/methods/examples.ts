/** The objects in the samples of the CACP document, for the examples of the rows. */

export const EXAMPLE_PROJECT_ID = 'f0ebc7e6-3b58-4d02-abb1-b63e1e0ba7ac'
export const EXAMPLE_CONTRACT_ID = '695296cc-d05a-4f43-99cd-ec3b6197461b'
export const EXAMPLE_TARGET = { projectId: EXAMPLE_PROJECT_ID, contractId: EXAMPLE_CONTRACT_ID }
export const EXAMPLE_REPO_ID = '8a2d6c1e-94b7-8f35-a1c0-5d7e9b3f2046'
export const EXAMPLE_SHA = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
export const EXAMPLE_PACKET_ID = '01934a7c-5b1e-7d20-9c44-f6a8e2b01d93'
export const EXAMPLE_AGENT = 'aid://example.com/backend@1.0.0'
export const EXAMPLE_TIME = '2026-11-16T09:00:00.000000Z'
export const EXAMPLE_CURSOR = '01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.41'
export const EXAMPLE_NEXT_CURSOR = '01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.42'
export const EXAMPLE_REVISION = '5f2c0d9e8b7a61534a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f'
export const EXAMPLE_IN_FORCE = { version: 1, status: 'agreed' as const, revision: EXAMPLE_REVISION }
const EXAMPLE_BY = { statement: EXAMPLE_REVISION, agent_id: EXAMPLE_AGENT, proof: 'signed' as const }

export const EXAMPLE_PROJECT = {
  project_id: EXAMPLE_PROJECT_ID,
  name: 'User Auth Feature',
  objective: 'Implement OAuth 2.0 login across frontend and backend',
  status: 'planning' as const,
  repos: [],
  contracts: [],
  context_history: [],
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  created_by: EXAMPLE_AGENT,
  visibility: 'all' as const,
  archived: false,
}

export const EXAMPLE_CONTENT = {
  method: 'GET',
  path: '/api/v1/users/profile',
  responseBody: { type: 'object', properties: { id: { type: 'integer' }, email: { type: 'string' } } },
}

export const EXAMPLE_CONTRACT = {
  contract_id: EXAMPLE_CONTRACT_ID,
  type: 'api_endpoint' as const,
  name: 'Get User Profile',
  version: 1,
  status: 'proposed' as const,
  content: EXAMPLE_CONTENT,
  proposed_by: EXAMPLE_REPO_ID,
  implementations: [],
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  parties: [EXAMPLE_REPO_ID],
  responses: [],
  verifications: [],
  conflicts: [],
  head: {
    timestamp: EXAMPLE_TIME,
    change_notes: '',
    revision: EXAMPLE_REVISION,
    parent: null,
    resolves: [],
    parties: [EXAMPLE_REPO_ID],
    needed: [EXAMPLE_REPO_ID],
    agreed: false,
    by: EXAMPLE_BY,
  },
  past_implementations: [],
  inForce: null,
  objections: [],
  unanswered: [EXAMPLE_REPO_ID],
  withdrawn: false,
  retired: false,
}

export const EXAMPLE_PACKET = {
  packet_id: EXAMPLE_PACKET_ID,
  from_repo: EXAMPLE_REPO_ID,
  from_agent: EXAMPLE_AGENT,
  timestamp: EXAMPLE_TIME,
  type: 'decision' as const,
  content: {
    decision: 'Authentication method',
    chosen: 'JWT tokens',
    rationale: 'Stateless',
    implications: [],
  },
  related_contracts: [EXAMPLE_CONTRACT_ID],
  reply_to: null,
  by: EXAMPLE_BY,
}

export const EXAMPLE_DELIVERY = {
  repo_id: EXAMPLE_REPO_ID,
  repo: 'frontend-app',
  state: 'seen' as const,
  stored_at: EXAMPLE_TIME,
  replicated_at: EXAMPLE_TIME,
  seen_at: EXAMPLE_TIME,
}
