import type { MethodName, ParamsOf } from '../src/methods/table.ts'

/** What the bench writes and reads: sizes and shapes as two repositories that agree on an API would make them. */

export const REPO = 'backend-api'
export const AGENT_ID = 'aid://example.com/backend-api@1.0.0'

export interface Call {
  method: string
  params: unknown
  /** The local agent that calls, where it is not the daemon's own. */
  agent?: string
}

/** A call whose params are checked by the compiler. */
const call = <Name extends MethodName>(method: Name, params: ParamsOf<Name>): Call => ({ method, params })

export const createProject = (number: number): Call =>
  call('cacp/project/create', {
    name: `Feature ${number}`,
    objective: 'Login with OAuth 2.0, the same in backend and frontend',
    repos: [
      { name: REPO, role: 'backend', language: 'python', relevantPaths: ['src/auth', 'src/users'] },
      { name: 'frontend-app', role: 'frontend', language: 'typescript', relevantPaths: ['app/login'] },
    ],
  })

export const createMinimalProject = (): Call => call('cacp/project/create', { name: 'Idea', objective: '' })

export const joinAs = (projectId: string, repoName: string): Call =>
  call('cacp/project/join', { projectId, repoName })

export const getBrief = (since?: string): Call => call('cacp/brief', since === undefined ? {} : { since })

export const searchFor = (query: string): Call => call('cacp/search', { query })

export const listInbox = (): Call => call('cacp/inbox/list', {})

export const getContract = (projectId: string, contractId: string): Call =>
  call('cacp/contract/get', { projectId, contractId })

export const addPeer = (url: string): Call => call('cacp/peer/add', { url })

export const listPeers = (): Call => call('cacp/peer/list', {})

export const syncPeers = (): Call => call('cacp/peer/sync', {})

export const digestOfAll = (): Call => call('cacp/sync/digest', {})

export const getProject = (projectId: string): Call => call('cacp/project/get', { projectId })

/** Changes a project without adding anything to the store. */
export const archive = (projectId: string, archived: boolean): Call =>
  call('cacp/project/archive', { projectId, archived })

export const propose = (projectId: string, number: number): Call =>
  call('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: nameOf(number),
    content: content(number),
  })

/** The same content under keys that mean nothing, so that there is nothing to review. */
export const proposeUnread = (projectId: string, number: number): Call =>
  call('cacp/contract/propose', {
    projectId,
    type: 'custom',
    name: nameOf(number),
    content: Object.fromEntries(Object.entries(content(number)).map(([key, value]) => [`_${key}`, value])),
  })

export const nameOf = (number: number): string => `Get user profile ${number}`

export const content = (number: number) => ({
  method: 'GET',
  path: `/api/v1/users/{id}/profile/${number}`,
  response: { id: 'string', name: 'string', email: 'string | null', roles: ['admin', 'member'] },
  errors: { 401: 'not logged in', 404: 'no such user' },
})

/** What a small contract takes as a signed statement. */
export const SMALL_BYTES = 900

/** A small one, to fill stores with. */
export const proposeSmall = (projectId: string, number: number, padding = ''): Call =>
  call('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: nameOf(number),
    content: { method: 'GET', path: `/users/{id}/profile/${number}`, ...(padding && { padding }) },
  })

/** Another version of a contract, of so many bytes. */
export const updateWith = (projectId: string, contractId: string, bytes: number): Call =>
  call('cacp/contract/update', { projectId, contractId, content: { text: 'x'.repeat(bytes) } })

export const askForChange = (projectId: string, contractId: string): Call =>
  call('cacp/contract/respond', { projectId, contractId, action: 'request_change', comment: 'Not yet' })

/** Another version of such a small one. */
export const updateSmall = (projectId: string, contractId: string): Call =>
  call('cacp/contract/update', {
    projectId,
    contractId,
    content: { method: 'GET', path: '/users/{id}/profile', changed: true },
  })

/** Five packets as they come up while two agents negotiate. */
export const shareFivePackets = (projectId: string, relatedContracts: string[]): Call[] => [
  call('cacp/context/share', {
    projectId,
    type: 'error_catalog',
    content: { codes: { E100: 'token expired', E101: 'token revoked', E102: 'scope missing' } },
    relatedContracts,
  }),
  call('cacp/context/askQuestion', {
    projectId,
    question: 'Does the profile carry the roles of the token or those of the database?',
    options: ['token', 'database'],
    relatedContracts: relatedContracts.slice(0, 1),
  }),
  call('cacp/context/recordDecision', {
    projectId,
    decision: 'Where roles come from',
    chosen: 'database',
    rationale: 'A token lives for an hour; a role that was taken away must not.',
    implications: ['One more query per request'],
  }),
  call('cacp/context/shareCode', {
    projectId,
    language: 'python',
    file: 'src/users/profile.py',
    snippet: 'def profile(user_id: str) -> Profile:\n    return Profile.from_row(users.get(user_id))\n',
    explanation: 'how the profile is read',
  }),
  call('cacp/context/shareTypes', {
    projectId,
    language: 'typescript',
    definitions: 'interface Profile { id: string; name: string; email: string | null; roles: Role[] }',
  }),
]
