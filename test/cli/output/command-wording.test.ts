import { expect, test } from 'vitest'
import { inCommandWords } from '../../../src/cli/output/command-wording.ts'

test.each([
  ['List the projects with cacp/project/list', 'List the projects with cacpd project list'],
  [
    'See the params of cacp/context/askQuestion in GET /openrpc.json or docs/METHODS.md',
    'See cacpd context ask-question --help',
  ],
  ['GET /methods lists all methods', 'cacpd --help lists all commands'],
  [
    'Bring it back with cacp/project/archive {"archived": false}',
    'Bring it back with cacpd project archive --archived false',
  ],
  ['Call cacp/project/join with repoName web first', 'Call cacpd project join --repo-name web first'],
  [
    'It must be agreed first (cacp/contract/respond with action agree)',
    'It must be agreed first (cacpd contract respond --action agree)',
  ],
  [
    'Propose its end with cacp/contract/update {"retire": true}',
    'Propose its end with cacpd contract update --retire',
  ],
  [
    'Drop version 3 with cacp/contract/update {"restore": true}; {"retire": true} instead proposes the end',
    'Drop version 3 with cacpd contract update --restore; --retire instead proposes the end',
  ],
  [
    'if that was you, cacp/inbox/take with itemId read_message:a:b and session "me"',
    'if that was you, cacpd inbox take --item-id read_message:a:b --session "me"',
  ],
  [
    'take this one back: cacp/contract/withdraw with contractId 6afc0f7c',
    'take this one back: cacpd contract withdraw --contract-id 6afc0f7c',
  ],
  [
    'if it does not work, cacp/implementation/verify with result failure',
    'if it does not work, cacpd implementation verify --result failure',
  ],
  [
    'Release it with cacp/repo/release, or name another agent in X-Agent-ID',
    'Release it with cacpd repo release, or name another agent with --agent-id',
  ],
  [
    'share larger material as a file (POST /files, then cacp/file/share)',
    'share larger material as a file (cacpd file share)',
  ],
  ['Upload it first with POST /files, which answers its sha256', 'Share it with cacpd file share PATH'],
  ['List the peers with cacp/peer/list', 'List the peers with cacpd peers'],
  [
    'See the params of cacp/peer/revoke in GET /openrpc.json or docs/METHODS.md',
    'See cacpd peers revoke --help',
  ],
  ['Look for others with cacp/adp/search', 'Look for others with cacpd discover'],
  ['See the params of cacp/invite/create in GET /openrpc.json or docs/METHODS.md', 'See cacpd invite --help'],
  [
    'Name one as cacp/peer/list shows it, or connect it with cacp/peer/add',
    'Name one as cacpd peers shows it, or connect it with cacpd invite and cacpd join',
  ],
  ['List the runs with cacp/run/list', 'List the runs with cacpd runs'],
  ['Read with cacp/feed/read, or call cacp/wait', 'Read with cacpd feed read, or call cacpd wait'],
  [
    'show some again with cacp/inbox/ack {"undo": true}: cacp/inbox/list {"includeAcked": true} shows them',
    'show some again with cacpd inbox ack ITEM --undo: cacpd inbox --include-acked shows them',
  ],
  ['call cacp/repo/settle with holder aid://a/b', 'call cacpd repo settle --holder aid://a/b'],
  ['call cacp/invite/create with replaces aid://a/b', 'call cacpd invite --replace aid://a/b'],
  ['cacp/nothing/known and cacp/nope', 'cacp/nothing/known and cacp/nope'],
])('%s', (wire, people) => {
  expect(inCommandWords(wire)).toBe(people)
})
