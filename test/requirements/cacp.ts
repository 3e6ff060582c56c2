/**
 * What CACP 2.0 demands, in our words: one row per sentence of the document (and per decision that fills one
 * of its gaps). A test cites a row by its id in brackets, `[cacp-transport-1]`; `requirements.test.ts` fails
 * when a row is cited by no test.
 */
export const CACP_REQUIREMENTS = {
  'cacp-transport-1': 'All calls are JSON-RPC 2.0 objects posted to / as application/json',
  'cacp-transport-2': 'A success answers jsonrpc, result and the id of the request, and has no error key',
  'cacp-transport-3': 'An error answers jsonrpc, error {code, message} and the id, and has no result key',
  'cacp-transport-4': 'Batches answer an array of the calls that have an id; notifications are not answered',
  'cacp-errors-1': 'A body that is not JSON is -32700 with id null',
  'cacp-errors-2': 'An envelope that is not JSON-RPC 2.0 is -32600',
  'cacp-errors-3': 'An unknown method is -32601',
  'cacp-errors-4': 'A missing or malformed param is -32602 and the message names it',
  'cacp-errors-5': 'What is not the fault of the caller is -32000 and tells nothing of the inside',
  'cacp-project-1':
    'A project has id, name, objective, status, repos, contracts, context_history and both times',
  'cacp-project-2': 'A project status is planning, implementing, integrating or complete, following the work',
  'cacp-project-3': 'A repo has id, name, role, language and, once claimed, agent id and endpoint',
  'cacp-contract-1':
    'A contract has id, type, name, version, status, content, proposer, implementations, history, times',
  'cacp-contract-2': 'The six contract types are taken and any other is refused',
  'cacp-contract-3': 'The version increments on update and the former content stays in the history',
  'cacp-contract-4': 'The five statuses are reached only along the transitions',
  'cacp-context-1':
    'A packet has id, repo, agent, time, type, content, related contracts and the packet it replies to',
  'cacp-context-2': 'The ten context types are taken and any other is refused',
  'cacp-aid-1': 'Agents go by aid://domain/name@version',
  'cacp-create-1': 'project/create answers projectId, status created and the number of repos',
  'cacp-create-2': 'The creating agent holds its own repo when that is among the repos',
  'cacp-join-1':
    'project/join claims a repo by name, with the endpoint of the agent, and answers repoId and joined',
  'cacp-join-2': 'A repo that another agent holds cannot be joined; the holder may repeat its call',
  'cacp-get-1': 'project/get answers the full project',
  'cacp-list-1':
    'project/list answers all projects in full as far as they fit, and the summary keys of the reference',
  'cacp-propose-1': 'contract/propose answers contractId, version 1 and proposed',
  'cacp-propose-2': 'Only members propose',
  'cacp-respond-1':
    'agree, request_change and reject answer agreed, change_requested, rejected and the version',
  'cacp-respond-2': 'Answers are kept with their author, comment and suggested change',
  'cacp-respond-3': 'Only members respond, and nobody to its own version',
  'cacp-update-1':
    'contract/update answers the next version and proposed, and takes changeNote and changeNotes',
  'cacp-share-1': 'context/share answers packetId and shared',
  'cacp-ask-1': 'context/askQuestion shares a question with options and urgency',
  'cacp-decide-1': 'context/recordDecision shares a decision with its choice, rationale and implications',
  'cacp-start-1': 'implementation/start records the plan of a party once the contract is agreed',
  'cacp-complete-1':
    'implementation/complete records the files; when all parties are complete it is implemented',
  'cacp-verify-1':
    'implementation/verify success makes it verified, partial leaves it, failure needs revision',
  'cacp-sync-1': 'project/sync takes a full project and loses nothing that is here',
  'cacp-sync-2': 'contract/sync takes a full contract',
  'cacp-sync-3': 'context/sync takes a full packet',
  'cacp-sync-4': 'repo/sync takes a repo with its claim, and cannot steal one',
  'cacp-sync-5': 'A sync that is refused is a result with status error and a reason',
  'cacp-card-1':
    'GET /.well-known/agent.json answers the card with name, url, protocols.cacp 2.0 and the cacp extension',
  'cacp-health-1': 'GET /health answers healthy, agent id, repo and the number of peers',
  'cacp-methods-1': 'GET /methods lists all methods',
  'cacp-adp-1': 'Agents are found with an exchange by words and filters, and name their CACP endpoint',
  'cacp-adp-2': 'An agent registers with an exchange by a manifest of aid, name and invocation',
  'cacp-peers-1': 'POST /peers/register takes agentId, endpoint and repoName and stores the peer',
  'cacp-merge-1': 'Of two versions the higher wins',
  'cacp-merge-2': 'Of two changes of one version the newer wins',
  'cacp-security-1': 'Authorization: Bearer carries the key; without a valid one a call is refused with 401',
  'cacp-security-2': 'X-Agent-ID names the acting agent',
  'cacp-security-3': 'X-Project-Token carries a JWT that opens one project',
  'cacp-trust-1': 'A verified peer, which exchanged keys, has full access',
  'cacp-trust-2': 'A known agent, registered with an exchange and without a key, may only read',
  'cacp-trust-3': 'Whoever is unknown is rejected',
  'cacp-version-1': 'The card says which major version of the protocol is spoken',
} as const

export type CacpRequirement = keyof typeof CACP_REQUIREMENTS
