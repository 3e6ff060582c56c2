/**
 * The words before the last of the methods' names. Written down so that `cacpd --help` need not load the table;
 * a test holds the two together.
 */
export const METHOD_GROUPS: Readonly<Record<string, string>> = {
  project: 'what several repositories build together',
  contract: 'what they agree on: propose, respond, update',
  context: 'questions, decisions, code and types that they share',
  implementation: 'who implements a contract, and whether it works',
  file: 'files to share and to ask for',
  repo: 'claims on the repositories of a project',
  run: 'what this repository’s agent was asked for',
  work: 'have the agents of other repositories do something',
  peer: 'the daemons of other repositories',
  sync: 'what two cacpds say to each other',
  rpc: 'the description of all methods, for programs',
}

/** Not in `cacpd --help`: people have `cacpd peers` and `cacpd runs`, and the rest is for daemons. */
export const HIDDEN_GROUPS: ReadonlySet<string> = new Set(['peer', 'run', 'sync'])
