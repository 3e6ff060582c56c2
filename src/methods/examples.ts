const PROJECT_ID = 'f0ebc7e6-3b58-4d02-abb1-b63e1e0ba7ac'
const CONTRACT_ID = '695296cc-d05a-4f43-99cd-ec3b6197461b'
const REPO_ID = '8a2d6c1e-94b7-8f35-a1c0-5d7e9b3f2046'
const PACKET_ID = '01934a7c-5b1e-7d20-9c44-f6a8e2b01d93'
const AGENT = 'aid://example.com/backend@1.0.0'
const TIME = '2026-11-16T09:00:00.000000Z'
const REVISION = '5f2c0d9e8b7a61534a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f'
const BY = { statement: REVISION, agent_id: AGENT, proof: 'signed' as const }
const CONTENT = {
  method: 'GET',
  path: '/api/v1/users/profile',
  responseBody: { type: 'object', properties: { id: { type: 'integer' }, email: { type: 'string' } } },
}

/** The objects in the samples of the CACP document, for the examples of the rows. */
export const EXAMPLE = {
  projectId: PROJECT_ID,
  contractId: CONTRACT_ID,
  target: { projectId: PROJECT_ID, contractId: CONTRACT_ID },
  repoId: REPO_ID,
  packetId: PACKET_ID,
  agentId: AGENT,
  time: TIME,
  sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  cursor: '01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.41',
  nextCursor: '01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.42',
  revision: REVISION,
  inForce: { version: 1, status: 'agreed' as const, revision: REVISION },
  content: CONTENT,
  project: {
    project_id: PROJECT_ID,
    name: 'User Auth Feature',
    objective: 'Implement OAuth 2.0 login across frontend and backend',
    status: 'planning' as const,
    repos: [],
    contracts: [],
    context_history: [],
    created_at: TIME,
    updated_at: TIME,
    created_by: AGENT,
    visibility: 'all' as const,
    archived: false,
  },
  contract: {
    contract_id: CONTRACT_ID,
    type: 'api_endpoint' as const,
    name: 'Get User Profile',
    version: 1,
    status: 'proposed' as const,
    content: CONTENT,
    proposed_by: REPO_ID,
    implementations: [],
    created_at: TIME,
    updated_at: TIME,
    parties: [REPO_ID],
    responses: [],
    verifications: [],
    conflicts: [],
    head: {
      timestamp: TIME,
      change_notes: '',
      revision: REVISION,
      parent: null,
      resolves: [],
      parties: [REPO_ID],
      needed: [REPO_ID],
      agreed: false,
      by: BY,
    },
    past_implementations: [],
    inForce: null,
    objections: [],
    unanswered: [REPO_ID],
    withdrawn: false,
    retired: false,
  },
  packet: {
    packet_id: PACKET_ID,
    from_repo: REPO_ID,
    from_agent: AGENT,
    timestamp: TIME,
    type: 'decision' as const,
    content: {
      decision: 'Authentication method',
      chosen: 'JWT tokens',
      rationale: 'Stateless',
      implications: [],
    },
    related_contracts: [CONTRACT_ID],
    reply_to: null,
    by: BY,
  },
  delivery: {
    repo_id: REPO_ID,
    repo: 'frontend-app',
    state: 'seen' as const,
    stored_at: TIME,
    replicated_at: TIME,
    seen_at: TIME,
  },
}
