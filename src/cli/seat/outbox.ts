import type { ResultOf } from '../../methods/table.ts'
import { type GroupForm, methodForm } from '../derive/method-form.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { type Screen, timeOn } from '../output/screen.ts'
import { shortIds } from '../output/short-ids.ts'

export const outbox: GroupForm = {
  methods: {
    list: methodForm('cacp/outbox/list', {
      show: (listed, screen) => describeOutbox(listed, screen),
      footnote: ({ more }, terminal) =>
        more ? paint('dim', 'there is more; --limit and --to show it', terminal) : undefined,
    }),
  },
}

function describeOutbox({ items, peers }: ResultOf<'cacp/outbox/list'>, terminal: Screen): string {
  if (peers.length === 0 && items.length === 0) return 'everything has arrived'
  const short = shortIds(items.flatMap(({ projectId, id }) => [projectId, id]))
  return peers
    .map(({ agentId, repo, behind, why, lastSeen }) => {
      const listed = items.filter((item) => item.agentId === agentId)
      const seen = lastSeen === null ? 'never' : timeOn(terminal, lastSeen)
      return [
        `${paint('bold', printableLine(repo), terminal)}: ${behind ?? `at least ${listed.length}`} not arrived; ${printableLine(why)}`,
        paint('dim', `  ${printableLine(`${agentId}, last seen ${seen}`)}`, terminal),
        ...listed.map(
          ({ kind, name, projectId, id, since }) =>
            `  ${printableLine(`${kind} ${name}, since ${timeOn(terminal, since)} (${short(projectId)}/${short(id)})`)}`,
        ),
      ].join('\n')
    })
    .join('\n\n')
}
