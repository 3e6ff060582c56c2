/** Objects exactly as the reference implementation sends them: naive times, no key that only a cacpd writes. */

export const docProject = (given: object = {}) => ({
  project_id: 'p1',
  name: 'Auth',
  objective: 'log in',
  status: 'planning',
  repos: [],
  contracts: [],
  context_history: [],
  created_at: '2026-01-01T00:00:00',
  updated_at: '2026-01-01T00:00:05.123456',
  ...given,
})

export const docRepo = (given: object = {}) => ({
  repo_id: 'r1',
  name: 'plain-api',
  role: 'backend',
  language: 'python',
  relevant_paths: [],
  url: null,
  assigned_agent: null,
  agent_endpoint: null,
  ...given,
})

export const docContract = (given: object = {}) => ({
  contract_id: 'c1',
  type: 'custom',
  name: 'Me',
  version: 1,
  status: 'proposed',
  content: { path: '/me' },
  proposed_by: 'r1',
  implementations: [],
  history: [],
  created_at: '2026-01-01T00:00:00.000001',
  updated_at: '2026-01-01T00:00:05.123456',
  ...given,
})

export const docVersion = (version: number, given: object = {}) => ({
  version,
  content: { path: `/v${version}` },
  proposed_by: 'r1',
  timestamp: `2026-01-01T00:00:0${version}.5`,
  change_notes: null,
  ...given,
})

export const docPacket = (given: object = {}) => ({
  packet_id: 'k1',
  from_repo: 'r1',
  from_agent: 'a',
  timestamp: '2026-01-01T00:00:05.123456',
  type: 'decision',
  content: { text: 'we use JWT' },
  related_contracts: [],
  reply_to: null,
  ...given,
})
