import { type Sentence, shortened } from '../../text/sentence.ts'
import { isPersons } from '../contract/reading.ts'
import type { Moment, MomentKind, Packet } from './moment.ts'

/** Most characters of what was said in a sentence. */
const SAID = 200

/** What a packet of context said. */
export function momentsOfPacket(packet: Packet, projectId: string): Moment[] {
  const { packet_id, timestamp, from_repo, by } = packet
  const { kind, sentence } = packet.redacted === undefined ? told(packet) : REMOVED
  return [
    {
      key: packet_id,
      at: timestamp,
      kind,
      ...SIGNS[kind],
      projectId,
      repoId: from_repo,
      agentId: by.agent_id,
      isByPerson: isPersons(by),
      sentence,
      about: { kind: 'packet', id: packet_id },
    },
  ]
}

const SIGNS = {
  asked: { icon: 'question', tone: 'warn' },
  decided: { icon: 'arrow', tone: 'violet' },
  said: { icon: 'message', tone: 'calm' },
} as const satisfies Partial<Record<MomentKind, Pick<Moment, 'icon' | 'tone'>>>

interface Told {
  readonly kind: keyof typeof SIGNS
  readonly sentence: Sentence
}

const REMOVED: Told = { kind: 'said', sentence: ['said something that was removed since'] }

function told({ type, content, reply_to }: Packet): Told {
  const field = (key: string): string | undefined => {
    const value = content[key]
    return typeof value === 'string' && value.trim() !== '' ? shortened(value.trim(), SAID) : undefined
  }
  if (type === 'question') {
    const verb = content['wants'] === 'file' ? 'asked for a file' : 'asked'
    return { kind: 'asked', sentence: quoting(verb, field('question')) }
  }
  if (type === 'decision')
    return { kind: 'decided', sentence: quoting('decided', field('chosen') ?? field('decision')) }
  const answer = field('answer')
  const message = answer ?? field('message')
  if (message !== undefined) {
    const verb = reply_to === null ? 'said' : answer === undefined ? 'replied' : 'answered a question with'
    return { kind: 'said', sentence: quoting(verb, message) }
  }
  const name = field('file') ?? field('title') ?? field('name') ?? nameOfFile(content['file'])
  return {
    kind: 'said',
    sentence: quoting(`${reply_to === null ? 'shared' : 'replied with'} ${type.replaceAll('_', ' ')}`, name),
  }
}

const quoting = (verb: string, text: string | undefined): Sentence =>
  text === undefined ? [verb] : [`${verb} `, { quoted: text }]

function nameOfFile(file: unknown): string | undefined {
  const name = typeof file === 'object' && file !== null && 'name' in file ? file.name : undefined
  return typeof name === 'string' ? shortened(name, SAID) : undefined
}
