/** The commands below one word: one for each method whose name has that word before its last. */
interface MethodGroup {
  readonly about: string
  /** What it does when only its name is given. */
  readonly alone?: string
  readonly note?: string
  /** The commands whose examples its help shows; default: the first two. */
  readonly shown?: readonly string[]
  /** Not in `cacpd --help`: people have other commands for it, or it is for daemons. */
  readonly isHidden?: true
}

/** Written down so that `cacpd --help` need not load the table of methods; a test holds the two together. */
export const METHOD_GROUPS: Readonly<Record<string, MethodGroup>> = {
  cacp: { about: 'what concerns this repository’s agent', isHidden: true },
  project: { about: 'what several repositories build together', shown: ['create', 'list'] },
  contract: {
    about: 'what they agree on: propose, respond, update',
    shown: ['list', 'propose', 'accept', 'diff', 'review', 'wait'],
  },
  context: { about: 'questions, decisions, code and types that they share', shown: ['ask-question', 'list'] },
  implementation: {
    about: 'who implements a contract, and whether it works',
    shown: ['start', 'get-status'],
  },
  gate: {
    about: 'whether a repository may merge its part',
    note: 'For people and jobs: `cacpd can-i-merge`, which also says it by its exit code.',
  },
  feed: {
    about: 'what changed since you last looked',
    alone: 'read',
    note: 'It answers a cursor, from which the next read goes on.',
  },
  file: { about: 'files to share and to ask for', shown: ['share', 'list', 'get'] },
  hub: {
    about: 'exchange statements over a server, with daemons that know no address of each other',
    alone: 'status',
    shown: ['connect', 'init', 'status'],
  },
  outbox: { about: 'what has not arrived at other repositories, and why', alone: 'list' },
  inbox: {
    about: 'what this repository has to do, and whom it waits for',
    alone: 'list',
    note: `Reading changes nothing: what is to be done stays until it is done, and what was hidden with ack comes back when it
changes.`,
    shown: ['list', 'take', 'ack'],
  },
  person: {
    about: 'what waits for you, for the agent here, and for others',
    alone: 'todo',
    note: `It shows approvals, lost claims, conflicts that nobody settles, and what is wrong with this daemon; then what the
agent has to do, and whom you wait for.`,
  },
  repo: { about: 'claims on the repositories of a project' },
  runs: {
    about: 'what this repository’s agent was asked for, and what became of it',
    alone: 'list',
    shown: ['list', 'follow', 'cancel'],
  },
  work: { about: 'have the agents of other repositories do something', shown: ['send', 'list'] },
  audit: { about: 'who was let in to do what, and who was refused', alone: 'list' },
  identity: {
    about: 'the key by which peers know this daemon',
    alone: 'get',
    note: 'Peers follow a rotation by themselves; the words that both sides see are others after it.',
  },
  peers: {
    about: 'the daemons of other repositories, and how far each has what is here',
    alone: 'list',
    shown: ['list', 'pending', 'revoke', 'sync'],
  },
  // With a form of its own.
  invite: { about: 'a URL that lets one other daemon in, once', shown: [] },
  token: {
    about: 'tokens that allow some things in one project, here and for a while',
    shown: ['issue', 'list', 'revoke'],
  },
  ui: { about: 'the browsers in which people use the dashboard', shown: [] },
  adp: { about: 'agents that are registered with an exchange', isHidden: true },
  sync: { about: 'what two cacpds say to each other', isHidden: true },
  rpc: { about: 'the description of all methods, for programs' },
}
