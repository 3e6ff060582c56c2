import { calling } from '../form/answer.ts'
import { command } from '../form/command.ts'
import type { OutputFlags } from '../form/with-daemon.ts'
import { printableLine } from '../output/printable.ts'
import { renderRows } from '../output/render.ts'
import { sameDaemon } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { describePeers } from './describe-peers.ts'

const PEER_FORMS = 'agent ID, repository or URL, as `cacpd peers` shows it'

const add = command({
  about: 'connect with another daemon that needs no key, because it is open; else invite it',
  words: { '<url>': 'where it listens, as `cacpd status` says there' },
  examples: ['cacpd peers add http://127.0.0.1:8081'],
  ask: ({ url }) => calling('cacp/peer/add', { url }),
  hint: ({ theirStatus }, terminal, { given }) =>
    theirStatus === 'registered'
      ? undefined
      : `next: It lets nobody in without a key: ${invitation(terminal, given)}`,
})

const pending = command({
  about: 'show who registered without a key and waits to be looked at',
  examples: ['cacpd peers pending'],
  ask: () => async (client) => {
    const { peers } = await client.call('cacp/peer/list', {})
    const waiting = peers.filter(({ trust }) => trust === 'pending')
    return {
      peers: waiting.map(({ repoName, endpoint, lastSeen, agentId }) => ({
        repoName,
        endpoint,
        lastSeen,
        agentId,
      })),
    }
  },
  show: ({ peers }, screen) => (peers.length === 0 ? 'none' : renderRows(peers, screen)),
})

const approve = command({
  about: 'send what is here to one that is pending',
  words: { '<peer>': PEER_FORMS },
  note: `A registration brings no key and proves no name, so approving it gives none: from then on what is here is sent to the
endpoint that it named, and that is all. For a daemon that shall call here too, use an invite instead, which pins who
it is: \`cacpd invite\` here, and \`cacpd join URL\` there.`,
  examples: ['cacpd peers approve frontend-app'],
  ask: ({ peer }) => calling('cacp/peer/approve', { agentId: peer }),
  hint: ({ hasKey }, terminal, { given }) =>
    hasKey
      ? undefined
      : `next: It has no key to call here with. To give it one, ${invitation(terminal, given)}`,
})

const revoke = command({
  about: 'shut a peer out: its keys stop working at once',
  words: { '<peer>': PEER_FORMS },
  examples: ['cacpd peers revoke frontend-app'],
  ask: ({ peer }) => calling('cacp/peer/revoke', { agentId: peer }),
  hint: (_, terminal, { given }) => `next: To let it in again, ${invitation(terminal, given)}`,
})

const renew = command({
  about: 'give a peer a new key to call here with; the old one works until the new one is used',
  words: { '<peer>': PEER_FORMS },
  examples: ['cacpd peers renew frontend-app'],
  ask: ({ peer }) => calling('cacp/peer/renew', { agentId: peer }),
})

const remove = command({
  about: 'forget a peer with its keys: nothing is sent to it any more',
  words: { '<peer>': PEER_FORMS },
  examples: ['cacpd peers remove aid://example.com/frontend-agent@1.0.0'],
  ask: ({ peer }) => calling('cacp/peer/remove', { agentId: peer }),
  hint: (_, { self }, { given }) =>
    `next: It may register again while it still knows this daemon: run \`cacpd peers remove\` there too. To keep it out, run \`${self} peers revoke${sameDaemon(given)}\` when it is back`,
})

const sync = command({
  about: 'compare states with all peers, or with one, right now',
  words: { '[peer]': PEER_FORMS },
  examples: ['cacpd peers sync frontend-app'],
  ask: ({ peer }) => calling('cacp/peer/sync', { agentId: peer }),
})

export const peers = command({
  about: 'show the daemons of other repositories and how far each has what is here',
  examples: [
    'cacpd peers',
    'cacpd peers pending',
    'cacpd peers revoke frontend-app',
    'cacpd peers sync frontend-app',
  ],
  commands: { add, pending, approve, revoke, renew, remove, sync },
  ask: () => calling('cacp/peer/list', {}),
  learn: async (_, client) => (await client.health()).warnings ?? [],
  show: (result, screen) => describePeers(result.peers, screen),
  footnote: (_, __, { known: warnings }) =>
    warnings.map((warning) => `warning: ${printableLine(warning)}`).join('\n') || undefined,
})

const invitation = ({ self }: Terminal, flags: OutputFlags): string =>
  `run \`${self} invite${sameDaemon(flags)}\` here, and \`cacpd join URL\` there`
