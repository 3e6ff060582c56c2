/**
 * Who may do what, written out: every method and every route, for every kind of caller. A test compares this with
 * what a real daemon answers, and fails when a method or a route is not here.
 */

/** What a caller meets. `through`: it was let in; what then becomes of the call is told by other tests. */
export type Met =
  | '401'
  | '403'
  /** As if there were no such project. */
  | 'hidden'
  /** It holds no repo of the project. */
  | 'not a member'
  | 'through'

export const CALLERS = [
  'nobody',
  'a key that never was',
  'a revoked key',
  'an expired token',
  'a revoked token',
  'a session that was ended',
  'a token for another project',
  'a token without the permission',
  'a token with the permission',
  'known',
  'verified, not a member',
  'verified member',
  'member of another repo',
  'operator',
  'person',
  'plain peer',
  'open',
] as const
export type CallerName = (typeof CALLERS)[number]
export type Expected = Readonly<Record<CallerName, Met>>

/** Whoever shows something that is not valid is told so, whatever it asks for. */
const REFUSED = {
  'a key that never was': '401',
  'a revoked key': '401',
  'an expired token': '401',
  'a revoked token': '401',
  'a session that was ended': '401',
} as const

const PUBLIC: Expected = {
  ...REFUSED,
  nobody: 'through',
  'a token for another project': 'through',
  'a token without the permission': 'through',
  'a token with the permission': 'through',
  known: 'through',
  'verified, not a member': 'through',
  'verified member': 'through',
  'member of another repo': 'through',
  operator: 'through',
  person: 'through',
  'plain peer': 'through',
  open: 'through',
}

/** Reads that concern no single project: what they show is up to what the caller may see. */
const READ: Expected = {
  ...PUBLIC,
  nobody: '401',
  'a token for another project': '403',
  'a token without the permission': '403',
  'a token with the permission': '403',
}

const READ_PROJECT: Expected = { ...READ, 'a token with the permission': 'through' }

const WRITE: Expected = { ...READ, known: '403' }

const WRITE_PROJECT: Expected = { ...WRITE, 'a token with the permission': 'through' }

const WRITE_AS_MEMBER: Expected = { ...WRITE_PROJECT, 'verified, not a member': 'not a member' }

const SYNC: Expected = { ...READ, known: '403' }

/** What the document's daemons hand over is for those who sign nothing; all others say what they do themselves. */
const PLAIN_SYNC: Expected = {
  ...SYNC,
  'verified, not a member': '403',
  'verified member': '403',
  'member of another repo': '403',
  operator: '403',
  person: '403',
  open: '403',
}

/** Asking the agent here: whose run it is decides what of it is seen. */
const RUN: Expected = SYNC

/** What an agent means where it names nothing is known at its own daemon. */
const AT_HOME: Expected = {
  ...WRITE,
  'verified, not a member': '403',
  'verified member': '403',
  'member of another repo': '403',
  'plain peer': '403',
}

/** Giving work to others is for those who are at home here. */
const DELEGATE: Expected = {
  ...RUN,
  'verified, not a member': '403',
  'verified member': '403',
  'member of another repo': '403',
  'plain peer': '403',
}

const OPERATOR: Expected = {
  ...SYNC,
  'verified, not a member': '403',
  'verified member': '403',
  'member of another repo': '403',
  'plain peer': '403',
  open: '403',
}

export const METHOD_TABLE: Readonly<Record<string, Expected>> = {
  'rpc.discover': PUBLIC,
  'cacp/project/create': WRITE,
  'cacp/project/join': WRITE_PROJECT,
  'cacp/project/get': READ_PROJECT,
  'cacp/project/list': READ,
  'cacp/project/overview': READ_PROJECT,
  'cacp/project/map': READ_PROJECT,
  'cacp/project/summary': READ_PROJECT,
  'cacp/lookup': READ_PROJECT,
  'cacp/project/addRepo': WRITE_PROJECT,
  'cacp/project/archive': WRITE_AS_MEMBER,
  'cacp/project/removeRepo': WRITE_PROJECT,
  'cacp/project/use': AT_HOME,
  'cacp/project/current': READ,
  'cacp/repo/release': WRITE_PROJECT,
  'cacp/repo/settle': OPERATOR,
  'cacp/contract/propose': WRITE_AS_MEMBER,
  'cacp/contract/respond': WRITE_AS_MEMBER,
  'cacp/contract/update': WRITE_AS_MEMBER,
  'cacp/contract/resolve': WRITE_AS_MEMBER,
  'cacp/contract/withdraw': WRITE_AS_MEMBER,
  'cacp/contract/redact': WRITE_AS_MEMBER,
  'cacp/contract/get': READ_PROJECT,
  'cacp/contract/list': READ_PROJECT,
  'cacp/contract/diff': READ_PROJECT,
  'cacp/contract/review': READ_PROJECT,
  'cacp/contract/expect': WRITE_AS_MEMBER,
  'cacp/contract/unused': READ_PROJECT,
  'cacp/implementation/merged': WRITE_AS_MEMBER,
  'cacp/gate/check': READ_PROJECT,
  'cacp/context/share': WRITE_AS_MEMBER,
  'cacp/context/askQuestion': WRITE_AS_MEMBER,
  'cacp/context/recordDecision': WRITE_AS_MEMBER,
  'cacp/context/shareCode': WRITE_AS_MEMBER,
  'cacp/context/shareTypes': WRITE_AS_MEMBER,
  'cacp/context/list': READ_PROJECT,
  'cacp/context/getThread': READ_PROJECT,
  'cacp/context/redact': WRITE_PROJECT,
  'cacp/implementation/start': WRITE_AS_MEMBER,
  'cacp/implementation/complete': WRITE_AS_MEMBER,
  'cacp/implementation/verify': WRITE_AS_MEMBER,
  'cacp/implementation/getStatus': READ_PROJECT,
  'cacp/feed/read': READ_PROJECT,
  'cacp/wait': READ,
  'cacp/file/share': WRITE_AS_MEMBER,
  'cacp/file/request': WRITE_AS_MEMBER,
  'cacp/file/list': READ_PROJECT,
  'cacp/file/listRequests': READ_PROJECT,
  'cacp/file/fulfillRequest': WRITE_AS_MEMBER,
  'cacp/project/sync': PLAIN_SYNC,
  'cacp/contract/sync': PLAIN_SYNC,
  'cacp/context/sync': PLAIN_SYNC,
  'cacp/repo/sync': PLAIN_SYNC,

  'cacp/outbox/list': READ,
  'cacp/peer/announce': SYNC,
  'cacp/sync/hello': SYNC,
  'cacp/sync/statements': SYNC,
  'cacp/sync/digest': SYNC,
  'cacp/sync/buckets': SYNC,
  'cacp/sync/keys': SYNC,
  'cacp/sync/fetch': SYNC,
  'cacp/peer/takeKey': SYNC,
  'cacp/brief': READ,
  'cacp/search': READ,
  'cacp/inbox/list': READ,
  'cacp/inbox/take': WRITE,
  'cacp/inbox/ack': WRITE,
  'cacp/run/get': RUN,
  'cacp/run/list': RUN,
  'cacp/run/cancel': RUN,
  'cacp/work/send': DELEGATE,
  'cacp/work/get': DELEGATE,
  'cacp/work/list': DELEGATE,
  'cacp/work/cancel': DELEGATE,
  'cacp/peer/list': READ,
  'cacp/hub/connect': OPERATOR,
  'cacp/hub/disconnect': OPERATOR,
  'cacp/hub/init': OPERATOR,
  'cacp/hub/status': OPERATOR,
  'cacp/adp/search': OPERATOR,
  'cacp/adp/add': OPERATOR,
  'cacp/audit/list': OPERATOR,
  'cacp/person/todo': OPERATOR,
  'cacp/identity/get': OPERATOR,
  'cacp/identity/rotate': OPERATOR,
  'cacp/peer/add': OPERATOR,
  'cacp/peer/remove': OPERATOR,
  'cacp/peer/sync': OPERATOR,
  'cacp/peer/join': OPERATOR,
  'cacp/peer/approve': OPERATOR,
  'cacp/peer/revoke': OPERATOR,
  'cacp/peer/renew': OPERATOR,
  'cacp/invite/create': OPERATOR,
  'cacp/invite/list': OPERATOR,
  'cacp/invite/withdraw': OPERATOR,
  'cacp/token/issue': OPERATOR,
  'cacp/token/revoke': OPERATOR,
  'cacp/token/list': OPERATOR,
  'cacp/ui/sessions': OPERATOR,
  'cacp/ui/revoke': OPERATOR,
}

/** Only the key makes a session: a script in the page could otherwise make one that outlives it. */
const KEY_ONLY: Expected = { ...OPERATOR, person: '403' }

/** What a page does with its own session; whoever calls with a key has none. */
const OWN_SESSION: Expected = { ...OPERATOR, operator: '403' }

/** For pages of the daemon's own origin, whatever else they show; in these tests only the person has one. */
const LOGIN = Object.fromEntries(
  CALLERS.map((caller) => [
    caller,
    caller === 'person' || caller === 'a session that was ended' ? 'through' : '403',
  ]),
) as Expected

/** What changes where a project is kept among its members: whoever is none is told that there is no such project. */
export const HIDDEN_FROM: readonly CallerName[] = ['known', 'verified, not a member']

export const ROUTE_TABLE: Readonly<Record<string, Expected>> = {
  'GET /.well-known/agent.json': PUBLIC,
  'GET /.well-known/jwks.json': PUBLIC,
  'GET /.well-known/cacpd-proof/:challenge': PUBLIC,
  'GET /methods': PUBLIC,
  'GET /openrpc.json': PUBLIC,
  'GET /health': PUBLIC,
  'GET /peers': READ,
  'POST /peers/register': PUBLIC,
  'POST /pair': PUBLIC,
  // Files go by their hash and belong to no project: which of them a token shows is up to what names them.
  'POST /files': { ...WRITE_PROJECT, 'a token for another project': 'through' },
  // What a tool may do then is up to the method behind it.
  'POST /mcp': { ...READ_PROJECT, 'a token for another project': 'through' },
  // What it shows is up to what the caller may see.
  'GET /events': { ...READ_PROJECT, 'a token for another project': 'through' },
  'POST /ui/login-codes': KEY_ONLY,
  'GET /ui/login-codes/:codeId': KEY_ONLY,
  'POST /ui/session': LOGIN,
  'GET /ui/session': OWN_SESSION,
  'DELETE /ui/session': OWN_SESSION,
  'GET /ui/daemons': OPERATOR,
  'GET /ui/assets/:name': PUBLIC,
  'GET /ui{/*path}': PUBLIC,
  'GET /files/:sha256': { ...READ_PROJECT, 'a token for another project': 'through' },
}
