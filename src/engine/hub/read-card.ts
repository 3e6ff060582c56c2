import { HUB_CARD_TYP, type HubCard, hubCardIn } from '../../domain/hub/card.ts'
import { tokenOf } from '../../domain/hub/subject.ts'
import { unverifiedClaims } from '../../protocol/text/unverified-claims.ts'
import type { CardPlace, KeptCard } from '../ports/hub-rooms.ts'
import type { VerifySignature } from '../ports/ports.ts'

/**
 * Undefined for what is no card, was not signed with the key that it names, lies at the place of another agent, or was
 * made for another organisation.
 */
export async function readHubCard(
  { text, token }: KeptCard,
  { org, verify }: { org: string; verify: VerifySignature },
): Promise<HubCard | undefined> {
  const key = hubCardIn(unverifiedClaims(text))?.publicKey
  const card = key && hubCardIn(await verify(text, key, HUB_CARD_TYP))
  return card !== undefined && tokenOf(card.agentId) === token && card.org === org ? card : undefined
}

/** The card of one agent. */
export async function readCardOf(
  agentId: string,
  { org, cards }: CardPlace,
  verify: VerifySignature,
): Promise<HubCard | undefined> {
  const kept = await cards.get(agentId)
  return kept && readHubCard({ ...kept, token: tokenOf(agentId) }, { org, verify })
}
