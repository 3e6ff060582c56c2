import type { Client } from '../../client.ts'
import { oneLine } from '../../domain/names/quoted.ts'
import { sessionName } from '../../domain/names/session-name.ts'
import type { ResultOf } from '../../methods/table.ts'
import { PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import { type KnownNames, namesFor } from '../derive/known-names.ts'
import { type GroupForm, methodForm } from '../derive/method-form.ts'
import type { CallFlags } from '../form/with-daemon.ts'
import { nextLine } from '../output/next-line.ts'
import { paint } from '../output/paint.ts'
import { isPasteable, printable, printableLine } from '../output/printable.ts'
import { type Screen, timeOn } from '../output/screen.ts'
import { shortIds } from '../output/short-ids.ts'
import type { Terminal } from '../output/terminal.ts'
import { PLAIN } from './say.ts'

type Listed = ResultOf<'cacp/inbox/list'>
type Item = Listed['items'][number]

const list = methodForm('cacp/inbox/list', {
  learn: (listed, client) => namesIn(listed, client),
  show: (listed, screen, { given, known: names }) => describeInbox(listed, { ...given, names }, screen),
  footnote: ({ count, items }, terminal) =>
    count > items.length && items.length > 0
      ? paint('dim', `and ${count - items.length} more; --limit shows more`, terminal)
      : undefined,
})

const take = methodForm('cacp/inbox/take', {
  adjust: (params, _, terminal) => ({ ...params, session: params['session'] ?? ownSession(terminal) }),
})

export const inbox: GroupForm = { methods: { list, take } }

async function namesIn({ items }: Listed, client: Client): Promise<KnownNames> {
  const calls = items.flatMap(({ next, objections = [] }) => [
    next,
    ...objections.flatMap(({ accept }) => accept ?? []),
  ])
  const packets = new Map(
    items.flatMap(({ about, next }): [Value, string][] =>
      about.kind === 'packet' ? [[next.params['replyTo'] ?? about.id, packetWord(about, items)]] : [],
    ),
  )
  const messages = new Map(
    items.flatMap(({ id, kind, about }): [string, string][] =>
      kind === 'read_message' ? [[id, packetWord(about, items)]] : [],
    ),
  )
  return {
    ...(await namesFor(client, [
      ...calls,
      ...items.flatMap((one) => otherWays(one).map(({ call }) => call)),
    ])),
    question: (packetId) => packets.get(packetId),
    item: (itemId) => messages.get(itemId),
  }
}

type Value = Item['next']['params'][string]

/** What `cacpd answer` and `cacpd say --reply-to` take for a question or a message. */
function packetWord({ id, name }: Item['about'], items: readonly Item[]): string {
  const alike = items.filter(({ about }) => about.name === name)
  return alike.length === 1 && isPasteable(name) ? name : id
}

/** The session of the coding agent; without one, the shell that the command was typed in. */
const ownSession = ({ env }: Terminal): string =>
  sessionName(env) ?? `${env['USER'] ?? 'somebody'} in shell ${process.ppid}`

/** Whose inbox it is, and the names of the things in it. */
interface Reader extends Pick<CallFlags, 'agentId' | 'data'> {
  readonly names: KnownNames
}

function describeInbox({ items, count, waitingFor }: Listed, reader: Reader, terminal: Screen): string {
  const words = wordsFor(items)
  const due = items.map((item, index) =>
    describeItem({ ...item, id: words[index] ?? item.id }, reader, terminal),
  )
  const waits = waitingFor.map(({ about, repos, for: to, objectedBy = [], since }) => {
    const whom = repos.length === 0 ? 'any other repository' : repos.join(', ')
    const objected = objectedBy.length === 0 ? '' : `; objected to by ${objectedBy.join(', ')}`
    return `  ${printableLine(`${about.name}: ${whom} to ${to}${objected}`)} ${paint('dim', `(since ${timeOn(terminal, since)})`, terminal)}`
  })
  return [
    items.length > 0 ? due.join('\n\n') : count === 0 ? 'nothing to do' : `${count} to do`,
    ...(waits.length === 0 ? [] : ['', paint('bold', 'waiting for:', terminal), ...waits]),
  ].join('\n')
}

/** What each item can be named by: as little as is needed of the ID of what it is about, where no other is about that. */
function wordsFor(items: readonly Item[]): string[] {
  const about = items.map((item) => item.about.id)
  const short = shortIds(about)
  return items.map(({ id, about: { id: one } }) =>
    about.indexOf(one) === about.lastIndexOf(one) ? short(one) : id,
  )
}

function describeItem(item: Item, reader: Reader, terminal: Screen): string {
  const { about, projectName, objections = [], findings = [], since, taken } = item
  const version = about.version === undefined ? '' : ` (version ${about.version})`
  const standing = `${item.urgency === 'low' ? ', of low urgency' : ''}${item.acked === true ? ', hidden' : ''}`
  return [
    `${paint('bold', item.kind, terminal)} ${printableLine(`${about.name}${version}`)}`,
    `  ${printableLine(item.why)}`,
    ...(taken === undefined
      ? []
      : [`  ${printableLine(`taken by ${taken.by} (ends ${timeOn(terminal, taken.until)})`)}`]),
    ...describeMessage(item),
    ...describeChange(item),
    ...objections.flatMap((one) => describeObjection(one, reader, terminal)),
    ...findings.map(describeFinding),
    `  ${paint('dim', printableLine(`in ${projectName}, since ${timeOn(terminal, since)}${standing}, ${item.id}`), terminal)}`,
    `  ${printableLine(lineFor(item.next, reader, terminal))}`,
    ...otherWays(item).map(
      ({ call, does }) => `  ${withRemark(printableLine(lineFor(call, reader, terminal)), does)}`,
    ),
  ].join('\n')
}

/** A line may end with a remark of its own about what is left to write. */
function withRemark(line: string, does: string | undefined): string {
  if (does === undefined) return line
  return `${line}${line.includes(REMARK) ? '; ' : REMARK}${does}`
}

const REMARK = '   # '

interface Way {
  readonly call: Item['next']
  readonly does?: string
}

function otherWays({ kind, projectId, about, change, review }: Item): Way[] {
  if (kind === 'read_message') {
    const params = { projectId, type: PLAIN, content: { message: PLACEHOLDER }, replyTo: about.id }
    return [{ call: { method: 'cacp/context/share', params } }]
  }
  // What a repository can answer to a version that may break it.
  if (review !== undefined)
    return [
      { call: review.accept, does: 'agrees, and accepts what breaks' },
      { call: review.object, does: 'objects to it' },
      { call: review.expect, does: 'says what is missing' },
    ].flatMap(({ call, does }) => (call === undefined ? [] : [{ call, does }]))
  if (kind !== 'revise_contract' || change === undefined) return []
  const params = { projectId, contractId: about.id, restore: true, version: about.version ?? 1 }
  return [{ call: { method: 'cacp/contract/update', params }, does: 'drops the change' }]
}

const lineFor = (call: Item['next'], { names, ...asked }: Reader, { self }: Terminal): string =>
  nextLine(call, asked, { self, names })

/** The text of a message, unless the item is already named by it. */
const describeMessage = ({ message, about }: Item): string[] =>
  message === undefined || message === about.name ? [] : [`  ${printableLine(oneLine(message))}`]

function describeChange({ change }: Item): string[] {
  if (change === undefined) return []
  const parties = change.parties === undefined ? '' : `parties ${change.parties}`
  const changes = [change.fields, parties].filter((one) => one !== '').join('; ')
  return changes === '' ? [] : [`  ${printable(oneLine(`changes of version ${change.from}: ${changes}`))}`]
}

function describeObjection(
  { repo, action, comment, suggestedChange, accept }: NonNullable<Item['objections']>[number],
  reader: Reader,
  terminal: Terminal,
): string[] {
  const suggested = suggestedChange === null ? '' : `; suggests ${suggestedChange}`
  return [
    `  ${printable(oneLine(`${repo}, ${action}: ${comment || 'no comment'}${suggested}`))}`,
    ...(accept === undefined
      ? []
      : [`  ${printableLine(lineFor(accept, reader, terminal))}   # accepts that`]),
  ]
}

function describeFinding({ repo, result, notes, details }: NonNullable<Item['findings']>[number]): string {
  const detailed = details === null ? '' : `; details ${details}`
  return `  ${printable(oneLine(`${repo}, ${result}: ${notes || 'no notes'}${detailed}`))}`
}
