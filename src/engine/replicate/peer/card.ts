import * as z from 'zod'
import type { PeerAbout } from '../../../domain/model.ts'
import { type IdentityInCard, readIdentityInCard } from '../../../domain/trust/rotation.ts'
import { Fault } from '../../../protocol/fault.ts'
import { jsonIn } from '../../../protocol/json/in.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json/json.ts'
import { Name } from '../../../protocol/words.ts'

/** What an agent card tells about how to exchange state with its daemon. */
export interface PeerCard {
  readonly version: string
  /** Of CACP; NaN when the card says nothing sensible. */
  readonly major: number
  /** The format of cacpd's own sync methods; null for any other implementation. */
  readonly syncFormat: number | null
  readonly agentId: string | null
  readonly repo: string | null
  /** Of its repository; null where it does not say both. */
  readonly about: PeerAbout | null
  readonly identity: IdentityInCard | null
}

const About = z.object({ role: Name, language: Name })

export function readCard(text: string): PeerCard {
  const card = parse(text)
  const protocols = isJsonObject(card['protocols']) ? card['protocols'] : {}
  const extensions = isJsonObject(card['extensions']) ? card['extensions'] : {}
  const cacp = isJsonObject(extensions['cacp']) ? extensions['cacp'] : {}
  const own = isJsonObject(extensions['cacpd']) ? extensions['cacpd'] : {}
  if (typeof protocols['cacp'] !== 'string')
    throw new Fault('unavailable', 'Its agent card does not say which version of CACP it speaks')
  const version = protocols['cacp'].slice(0, 20)
  return {
    version,
    major: Number.parseInt(version, 10),
    syncFormat: typeof own['syncFormat'] === 'number' ? own['syncFormat'] : null,
    agentId: typeof cacp['agentId'] === 'string' ? cacp['agentId'] : null,
    repo: typeof cacp['repo'] === 'string' ? cacp['repo'] : null,
    about: About.safeParse(cacp).data ?? null,
    identity: readIdentityInCard(own['identity']),
  }
}

/** Only equal major versions can work together. */
export function isCompatible({ major }: PeerCard): boolean {
  return major === 2
}

export function incompatible(card: PeerCard): Fault {
  return new Fault('conflict', `It speaks CACP ${card.version}, and this daemon speaks 2.0`, {
    next: 'Use versions of both daemons that speak the same major version of CACP',
  })
}

function parse(text: string): JsonObject {
  const card = jsonIn(text)
  if (isJsonObject(card)) return card
  throw new Fault('unavailable', 'Its agent card is not a JSON object')
}
