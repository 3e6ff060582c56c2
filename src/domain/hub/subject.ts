import { agentIn, HUB_SCHEME } from '../../protocol/hub-address.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import { isRegister, placeKeyOf } from '../statements/kinds.ts'
import type { Statement } from '../statements/statement.ts'

/**
 * The subjects on a hub: `cacp.<org>.<project>.<kind>.<about>` for facts, with one token more for registers, so that
 * the hub can keep the last message of each register. No subject of one stream ever belongs to another one.
 */

/** The project that calls between agents seem to have: their subjects are `cacp.<org>.call.<agent>`. */
const CALL = 'call'
/** A longer token is replaced by its hash: hubs refuse long subjects. */
const TOKEN_LENGTH = 200

/** The subjects of all facts and of all registers of an organisation. */
export const factSubjects = (org: string): string => `cacp.${org}.*.*.*`
export const registerSubjects = (org: string): string => `cacp.${org}.*.*.*.*`

export function subjectOf(org: string, statement: Statement): string {
  const { kind, about, project_id } = statement
  const subject = `${projectSubject(org, project_id)}.${tokenOf(kind)}.${tokenOf(about)}`
  return isRegister(statement) ? `${subject}.${registerToken(statement)}` : subject
}

/** The subjects of one project, as a reader names them. */
export const subjectsIn = (org: string, projectId: string) => ({
  facts: `${projectSubject(org, projectId)}.*.*`,
  registers: `${projectSubject(org, projectId)}.*.*.*`,
})

/** Where daemons write what they have of a project in all. It is a register of nobody. */
export const digestSubject = (org: string, projectId: string): string =>
  `${projectSubject(org, projectId)}.digest.${tokenOf(projectId)}.all`

/** Whether a message on this subject can be of this project. */
export const isInProject = (org: string, subject: string, projectId: string): boolean =>
  subject.startsWith(`${projectSubject(org, projectId)}.`)

const projectSubject = (org: string, projectId: string): string =>
  `cacp.${org}.${projectId === CALL ? '=63all' : tokenOf(projectId)}`

/** The key too: whoever looks at the hub then sees whose register it is. */
const registerToken = (statement: Statement): string =>
  tokenOf(`${statement.key} ${placeKeyOf(statement).slice(placePrefix(statement).length)}`)

/** What the place of a register begins with, which the subject says already. */
const placePrefix = ({ kind, about }: Statement): string => `${kind} ${about} `

/** Letters, digits, _ and - as they are; any other byte as `=` and two hex digits. */
export function tokenOf(text: string): string {
  if (/^[A-Za-z0-9_-]{1,200}$/.test(text)) return text
  const token = Array.from(new TextEncoder().encode(text), encodedByte).join('')
  if (token === '') return '='
  return token.length <= TOKEN_LENGTH ? token : `=hash-${sha256(text)}`
}

function encodedByte(byte: number): string {
  const character = String.fromCharCode(byte)
  return /[A-Za-z0-9_-]/.test(character) ? character : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/** Undefined for an agent whose ID is too long for a subject: only its hash would be in it, which leads to nobody. */
export function hubEndpointOf(agentId: string): string | undefined {
  const token = tokenOf(agentId)
  return agentIn(token) === agentId ? HUB_SCHEME + token : undefined
}

/** Where an agent listens for calls. */
export const callSubject = (org: string, agentId: string): string => `cacp.${org}.call.${tokenOf(agentId)}`
