/**
 * The words before the last of the methods' names. Written down so that `cacpd --help` need not load the table;
 * a test holds the two together.
 */
export const METHOD_GROUPS: Readonly<Record<string, string>> = {
  cacp: 'what concerns this repository’s agent',
  project: 'what several repositories build together',
  contract: 'what they agree on: propose, respond, update',
  context: 'questions, decisions, code and types that they share',
  implementation: 'who implements a contract, and whether it works',
  gate: 'whether a repository may merge its part',
  feed: 'what changed since you last looked',
  file: 'files to share and to ask for',
  outbox: 'what has not arrived at other repositories, and why',
  inbox: 'what this repository has to do, and whom it waits for',
  person: 'what waits for you, for the agent here, and for others',
  repo: 'claims on the repositories of a project',
  runs: 'what this repository’s agent was asked for, and what became of it',
  work: 'have the agents of other repositories do something',
  audit: 'who was let in to do what, and who was refused',
  identity: 'the key by which peers know this daemon',
  peers: 'the daemons of other repositories, and how far each has what is here',
  invite: 'a URL that lets one other daemon in, once',
  token: 'tokens that allow some things in one project, here and for a while',
  ui: 'the browsers in which people use the dashboard',
  adp: 'agents that are registered with an exchange',
  sync: 'what two cacpds say to each other',
  rpc: 'the description of all methods, for programs',
}

/** What a group does when only its name is given. */
export const DEFAULT_VERBS: Readonly<Record<string, string>> = {
  audit: 'list',
  feed: 'read',
  identity: 'get',
  inbox: 'list',
  outbox: 'list',
  person: 'todo',
  peers: 'list',
  runs: 'list',
}

/** What a group says below its commands. */
export const GROUP_HELP: Readonly<Record<string, string>> = {
  audit: `
Alone it lists, with the options of \`cacpd audit list --help\`.

Examples:
  cacpd audit
  cacpd audit --refused --since 24h
  cacpd audit --agent aid://example.com/frontend-agent@1.0.0 --json`,
  feed: `
Alone it reads, with the options of \`cacpd feed read --help\`. It answers a cursor, from which the next read goes on.

Examples:
  cacpd feed --json
  cacpd feed --since 01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.41 --kinds contract packet`,
  gate: `
For people and jobs: \`cacpd can-i-merge\`, which also says it by its exit code.

Examples:
  cacpd gate check
  cacpd gate check --repo frontend-app --json`,
  identity: `
Alone it shows the key. Peers follow a rotation by themselves; the words that both sides see are others after it.

Examples:
  cacpd identity
  cacpd identity rotate`,
  outbox: `
Alone it lists, with the options of \`cacpd outbox list --help\`.

Examples:
  cacpd outbox
  cacpd outbox --to aid://example.com/frontend-agent@1.0.0 --json`,
  inbox: `
Alone it lists, with the options of \`cacpd inbox list --help\`. Reading changes nothing: what is to be done stays
until it is done, and what was hidden with ack comes back when it changes.

Examples:
  cacpd inbox
  cacpd inbox --json
  cacpd inbox take ITEM
  cacpd inbox ack ITEM`,
  person: `
Alone it shows that, with the options of \`cacpd person todo --help\`: approvals, lost claims, conflicts that nobody settles,
and what is wrong with this daemon; then what the agent has to do, and whom you wait for.

Examples:
  cacpd person
  cacpd person --json`,
  project: `
Examples:
  cacpd project create --name 'User Auth' --objective 'Log in from the app'
  cacpd project list`,
  contract: `
Examples:
  cacpd contract list --project-id PROJECT
  cacpd contract propose --project-id PROJECT --type api_endpoint --name 'Get User' --content @contract.json
  cacpd contract accept 'Get User' --suggestion 1
  cacpd contract diff 'Get User'
  cacpd contract review 'Get User' --content next.yaml
  cacpd contract wait 'Get User' --status agreed`,
  context: `
Examples:
  cacpd context ask-question --project-id PROJECT --question 'JWT or cookies?'
  cacpd context list --project-id PROJECT`,
  implementation: `
Examples:
  cacpd implementation start --project-id PROJECT --contract-id CONTRACT
  cacpd implementation get-status --project-id PROJECT --contract-id CONTRACT`,
  file: `
Examples:
  cacpd file share docs/login.png --project-id PROJECT
  cacpd file list
  cacpd file get SHA256 -o login.png`,
  repo: `
Examples:
  cacpd repo release --project-id PROJECT --repo-name frontend-app
  cacpd repo settle --project-id PROJECT --repo-name frontend-app --holder AGENT
  cacpd repo settle --project-id PROJECT --repo-name frontend-app --holder null --restore AGENT`,
  work: `
Examples:
  cacpd work send frontend-app echo --param text=hello --wait
  cacpd work list`,
  peers: `
Alone it lists, with the options of \`cacpd peers list --help\`.

Examples:
  cacpd peers
  cacpd peers pending
  cacpd peers revoke frontend-app
  cacpd peers sync frontend-app`,
  runs: `
Alone it lists, with the options of \`cacpd runs list --help\`.

Examples:
  cacpd runs
  cacpd runs follow RUN
  cacpd runs cancel RUN`,
  token: `
Examples:
  cacpd token issue --project 'User Auth' --permission project:read context:share --expires 2h
  cacpd token list
  cacpd token revoke TOKEN`,
  rpc: `
Example:
  cacpd rpc discover --json`,
}

/** Not in `cacpd --help`: people have `cacpd search` and `cacpd discover`, and the rest is for daemons. */
export const HIDDEN_GROUPS: ReadonlySet<string> = new Set(['cacp', 'adp', 'sync'])
