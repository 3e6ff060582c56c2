import type { Client } from '../../client.ts'
import { itemCalled } from '../../domain/names/item-called.ts'
import { type CallFlags, callAndPrint, printResult, withDaemon } from '../derive/call-daemon.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

export interface SayFlags extends CallFlags {
  readonly project?: string
  readonly to?: readonly string[]
  readonly replyTo?: string
  readonly contract?: readonly string[]
}

export interface AnswerFlags extends CallFlags {
  readonly project?: string
  readonly decide?: boolean
  readonly rationale?: string
}

/** The type of the document for what other repositories should know, and that is no code, type or decision. */
export const PLAIN = 'dependency_info'

/** `cacpd say TEXT` */
export async function say(words: readonly string[], flags: SayFlags, terminal: Terminal): Promise<void> {
  const { project, to, replyTo, contract } = flags
  const message = textOf(words)
  const item =
    replyTo === undefined
      ? undefined
      : await withDaemon(flags, terminal, (client) => itemMeant(client, replyTo, placeIn(project)))
  const params = {
    ...(item === undefined ? placeIn(project) : { projectId: item.projectId }),
    type: PLAIN,
    content: { message },
    ...(to === undefined ? {} : { to }),
    ...(replyTo === undefined ? {} : { replyTo: item?.about.id ?? replyTo }),
    ...(contract === undefined ? {} : { relatedContracts: contract }),
  }
  await callAndPrint({ method: 'cacp/context/share', params, flags, terminal })
}

/** `cacpd answer QUESTION TEXT` */
export async function answer(
  question: string,
  words: readonly string[],
  { flags, terminal }: { flags: AnswerFlags; terminal: Terminal },
): Promise<void> {
  const text = textOf(words)
  const { decide = false, rationale = '', idempotencyKey } = flags
  if (rationale !== '' && !decide) throw new UsageError('--rationale: belongs to a decision; add --decide')
  const result = await withDaemon(flags, terminal, async (client) => {
    const { asked, ...target } = await questionMeant(client, question, flags.project)
    const reply = { projectId: target.projectId, replyTo: target.packetId }
    if (!decide)
      return client.call(
        'cacp/context/share',
        { ...reply, type: PLAIN, content: { answer: text } },
        { idempotencyKey },
      )
    return client.call(
      'cacp/context/recordDecision',
      { ...reply, decision: asked, chosen: text, rationale },
      { idempotencyKey },
    )
  })
  printResult(result, flags, terminal)
}

interface Asked {
  readonly projectId: string
  readonly packetId: string
  /** What was asked. */
  readonly asked: string
}

/** By its id or the beginning of it, or as the inbox calls it. */
async function questionMeant(client: Client, word: string, project: string | undefined): Promise<Asked> {
  const place = placeIn(project)
  const item = await itemMeant(client, word, place)
  const { projectId, packetId } = item
    ? { projectId: item.projectId, packetId: item.about.id }
    : await packetMeant(client, word, place)
  const { thread } = await client.call('cacp/context/getThread', { projectId, packetId })
  const packet = thread.find(({ packet_id }) => packet_id === packetId)
  const asked = packet?.content?.['question']
  if (packet?.type !== 'question' || typeof asked !== 'string')
    throw new UsageError(
      `QUESTION: packet ${packetId} is no question`,
      `To reply to it: cacpd say --reply-to ${packetId} TEXT`,
    )
  return { projectId, packetId, asked }
}

type Place = { readonly projectId?: string }

const placeIn = (project: string | undefined): Place => (project === undefined ? {} : { projectId: project })

/** A question or message in the inbox; undefined where there is none that goes by this word. */
async function itemMeant(client: Client, word: string, place: Place) {
  const { items } = await client.call('cacp/inbox/list', { ...place, limit: 200, includeAcked: true })
  const packets = items.filter(({ about }) => about.kind === 'packet')
  return itemCalled(packets, word, { mayShorten: true })
}

async function packetMeant(client: Client, word: string, place: Place) {
  const { projectId, packetIds } = await client.call('cacp/lookup', { ...place, packets: [word] })
  return { projectId, packetId: packetIds[0] ?? word }
}

function textOf(words: readonly string[]): string {
  const text = words.join(' ').trim()
  if (text === '') throw new UsageError('TEXT: must not be empty')
  return text
}
