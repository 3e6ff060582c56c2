import * as z from 'zod'
import { AgentId } from '../../protocol/agent/id.ts'
import { isStamp, type Stamp } from '../../protocol/stamp.ts'
import { Name } from '../../protocol/words.ts'
import { PublicKeyShape } from '../statements/shared-fields.ts'
import { MOST_ROTATIONS } from '../trust/rotation.ts'

/** Type of the token that is a card: by which a daemon says on the hub who it is, signed with the key that it names. */
export const HUB_CARD_TYP = 'cacpd-card+jwt'

const MOST_CAPABILITIES = 32

const HubCardShape = z.object({
  /** The organisation that it was made for. */
  org: z.string().max(200),
  agentId: AgentId,
  repo: Name,
  role: z.string().max(200),
  publicKey: PublicKeyShape,
  /** By which each key named its successor, oldest first. */
  rotations: z.array(z.string().max(2000)).max(MOST_ROTATIONS).readonly(),
  capabilities: z.array(z.string().max(200)).max(MOST_CAPABILITIES).readonly(),
  /** Another one after each start. */
  bootId: z.string().max(200),
  at: z.string().refine(isStamp),
})

export interface HubCard extends Omit<z.output<typeof HubCardShape>, 'at'> {
  readonly at: Stamp
}

/** Undefined for everything that is no card. */
export const hubCardIn = (claims: unknown): HubCard | undefined =>
  HubCardShape.safeParse(claims).data as HubCard | undefined

/** The first of them where there are too many to tell. */
export const toldCapabilities = (capabilities: readonly string[]): readonly string[] =>
  capabilities.slice(0, MOST_CAPABILITIES).map((one) => one.slice(0, 200))
