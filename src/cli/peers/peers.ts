import { type GroupForm, methodForm } from '../derive/method-form.ts'
import { command } from '../form/command.ts'
import type { OutputFlags } from '../form/with-daemon.ts'
import { printableLine } from '../output/printable.ts'
import { renderRows } from '../output/render.ts'
import { sameDaemon } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { describePeers } from './describe-peers.ts'

const list = methodForm('cacp/peer/list', {
  learn: async (_, client) => (await client.health()).warnings ?? [],
  show: (result, screen) => describePeers(result, screen),
  footnote: (_, __, { known: warnings }) =>
    warnings.map((warning) => `warning: ${printableLine(warning)}`).join('\n') || undefined,
})

const add = methodForm('cacp/peer/add', {
  note: 'That daemon needs no key only where it is open; else invite it.',
  examples: ['cacpd peers add http://127.0.0.1:8081'],
  hint: ({ theirStatus }, terminal, { given }) =>
    theirStatus === 'registered'
      ? undefined
      : `next: It lets nobody in without a key: ${invitation(terminal, given)}`,
})

const pending = command({
  about: 'Show who registered without a key and waits to be looked at.',
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

const approve = methodForm('cacp/peer/approve', {
  note: `An agent on the hub proves its key with its card: compare the six words with whoever runs it before you approve it.
A registration brings no key and proves no name, so approving it gives none: from then on what is here is sent to the
endpoint that it named, and that is all. For a daemon that shall call here too, use an invite instead, which pins who
it is: \`cacpd invite\` here, and \`cacpd join URL\` there.`,
  examples: ['cacpd peers approve frontend-app'],
  hint: ({ hasKey }, terminal, { given }) =>
    hasKey
      ? undefined
      : `next: It has no key to call here with. To give it one, ${invitation(terminal, given)}`,
})

const revoke = methodForm('cacp/peer/revoke', {
  examples: ['cacpd peers revoke frontend-app'],
  hint: (_, terminal, { given }) => `next: To let it in again, ${invitation(terminal, given)}`,
})

const remove = methodForm('cacp/peer/remove', {
  examples: ['cacpd peers remove aid://example.com/frontend-agent@1.0.0'],
  hint: (_, { self }, { given }) =>
    `next: It may register again while it still knows this daemon: run \`cacpd peers remove\` there too. To keep it out, run \`${self} peers revoke${sameDaemon(given)}\` when it is back`,
})

export const peers: GroupForm = { methods: { list, add, approve, revoke, remove }, commands: { pending } }

const invitation = ({ self }: Terminal, flags: OutputFlags): string =>
  `run \`${self} invite${sameDaemon(flags)}\` here, and \`cacpd join URL\` there`
