export type Row = Readonly<Record<string, unknown>>

/** Names of keys, with spaces between them. */
const keys = (names: string): readonly string[] => names.split(' ')

/** Columns for the state of a contract. */
const CONTRACT = ['name', 'status', 'marks', 'objects', 'silent', 'version', 'inForce', 'agree']

/** What people want to see of the lists in a method's result, most wanted first. All other lists show all they have. */
export const COLUMNS: Readonly<Record<string, Columns>> = {
  'cacp/project/list': { projects: keys('projectId name status marks repoCount contractCount createdAt') },
  'cacp/project/get': {
    repos: keys('name role language agent_id agent_endpoint'),
    contracts: ['contract_id', ...CONTRACT, 'updated_at'],
  },
  'cacp/contract/list': { contracts: ['contractId', ...CONTRACT, 'updatedAt', 'dependsOn'] },
  'cacp/contract/get': {
    implementations: keys('repo status agent_id by files plan notes test_endpoint updated_at'),
    suggestions: keys('number repo suggested comment acceptable'),
    responses: keys('repo action version comment suggested_change accepts timestamp agent_id by'),
    verifications: keys('repo result blames notes failure_details timestamp agent_id by'),
    history: keys('version content change_notes proposed_by by timestamp revision'),
    conflicts: keys('version content change_notes proposed_by by timestamp revision'),
  },
  'cacp/feed/read': { events: keys('at kind name status id projectId') },
  'cacp/file/listRequests': {
    requests: keys('requestId description suggestedFormat requestedBy timestamp fulfilled'),
  },
  'cacp/audit/list': {
    lines: keys('at outcome what fault caller agentId from times ids projectId credential'),
  },
  'cacp/peer/list': { peers: keys('repoName endpoint trust health behind lastSeen lastError agentId') },
  'cacp/invite/list': { invites: keys('inviteId createdAt expiresAt isUsed projectName repoName replaces') },
  'cacp/adp/search': { agents: keys('agentId name role languages signature endpoint') },
  'cacp/run/list': {
    runs: keys('run_id status work_type prompt asked_by runner attempt created_at failure'),
  },
  'cacp/work/list': { works: keys('workId status progress workType repoName sends createdAt error') },
  'cacp/token/list': { tokens: keys('tokenId status expiresAt permissions projectId agentId') },
  'rpc.discover': { methods: keys('name summary') },
}

export type Columns = Readonly<Record<string, readonly string[]>>

/** What programs need and people do not; and `assigned_agent`, the other name of `agent_id`. */
const FOR_PROGRAMS = new Set([
  ...['claims', 'head', 'past_implementations', 'assigned_agent'],
  ...['judged', 'parent', 'resolves', 'needed'],
])
/** What people look for first, behind the row's own id or repo. */
const LEADING = ['name', 'status', 'type', 'version']

/** The keys of an object that people want to see, in its own order. `--json` has all. */
export function keysToShow(object: Row): string[] {
  // Each thing once: results carry the document's and the reference's spelling of the same key.
  const bySpelling = new Map<string, string>()
  for (const key of Object.keys(object)) {
    const spelling = key.replaceAll('_', '').toLowerCase()
    const isCounted = key.endsWith('s') && `${key.slice(0, -1)}Count` in object
    if (!FOR_PROGRAMS.has(key) && !isCounted && !bySpelling.has(spelling)) bySpelling.set(spelling, key)
  }
  return [...bySpelling.values()]
}

/** Who objects and who is silent, which is mostly nobody: then a table needs no column for it. */
const MOSTLY_NOBODY = new Set(['objects', 'silent'])

const isOfNone = (key: string, rows: readonly Row[]): boolean =>
  MOSTLY_NOBODY.has(key) && rows.every(({ [key]: value }) => Array.isArray(value) && value.length === 0)

/** The columns for a list of objects, the most important ones first. */
export function columnsOf(rows: readonly Row[], wanted: readonly string[] | undefined): string[] {
  const all: Record<string, unknown> = {}
  for (const row of rows) Object.assign(all, row)
  if (wanted !== undefined) return wanted.filter((key) => key in all && !isOfNone(key, rows))
  const keys = keysToShow(all)
  const leading = [keys.find((key) => /^repo$|(_i|I)d$/.test(key)), ...LEADING]
  const place = (key: string) => (leading.includes(key) ? leading.indexOf(key) : leading.length)
  return keys.sort((a, b) => place(a) - place(b))
}
