import { figure } from '../../text/figures.ts'
import { visibleText } from '../../text/hidden.ts'
import type { Drawn, Group } from './groups.ts'
import type { MapRepo } from './map-data.ts'
import type { RepoPair } from './pairs.ts'
import { COLUMNS } from './roles.ts'
import { describeStanding } from './state.ts'

/** The words on and about what is drawn, as plain text: a picture holds nothing else. */

/** The name of a node: that of a repository in quotes, since others gave it. */
export const nameOfNode = (node: Drawn<MapRepo>): string =>
  node.is === 'repo' ? `«${visibleText(node.repo.name)}»` : `${COLUMNS[node.column]}: ${countOf(node)}`

/** The first line of a node. */
export const headOfNode = (node: Drawn<MapRepo>): string =>
  node.is === 'repo' ? nameOfNode(node) : countOf(node)

const countOf = ({ members, isRest }: Group): string =>
  `${figure(members)} ${isRest ? 'more' : members === 1 ? 'repository' : 'repositories'}`

/** The second line of a node: what is most worth knowing of it. */
export function noteOfNode(node: Drawn<MapRepo>): string {
  if (node.is === 'group') return COLUMNS[node.column] ?? ''
  return noteOfRepo(node.repo)
}

export function noteOfRepo({ isOwn, agentId, trust, health, behind }: MapRepo): string {
  if (isOwn) return 'this repository'
  if (agentId === null) return 'no agent yet'
  if (health === null) return trust === null ? 'not a peer here' : trust
  return behind !== null && behind > 0 ? `${health}, ${figure(behind)} behind` : health
}

export function labelOfNode(node: Drawn<MapRepo>): string {
  if (node.is === 'repo') return `${nameOfNode(node)}, ${noteOfRepo(node.repo)}`
  return node.isRest ? nameOfNode(node) : `${nameOfNode(node)}, open the group`
}

export function labelOfPair(
  { a, b, standing }: RepoPair,
  nodeOf: (id: string) => Drawn<MapRepo> | undefined,
): string {
  const names = [nodeOf(a), nodeOf(b)].map((node) => (node === undefined ? 'one' : nameOfNode(node)))
  return `${names.join(' and ')}, ${describeStanding(standing)}`
}

/** A text that fits into so many pixels, about; its whole is told by the title. A quotation stays one. */
export function fitted(text: string, pixels: number, perCharacter: number): string {
  const most = Math.max(4, Math.floor(pixels / perCharacter))
  if (text.length <= most) return text
  const end = text.endsWith('»') ? '…»' : '…'
  return `${text.slice(0, most - end.length).toWellFormed()}${end}`
}
