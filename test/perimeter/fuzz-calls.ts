import { z } from 'zod'
import { METHODS } from '../../src/methods/table.ts'
import type { Dice } from '../sim/dice.ts'
import { type Known, nastyText, type Schema, shapedBy, spoiled } from './fuzz-values.ts'

/** Who sends: what stands in the headers that say so. */
export type Sender = Readonly<Record<string, string>>

export interface FuzzMaterial {
  readonly host: string
  readonly senders: readonly Sender[]
  readonly known: Known
}

const SCHEMAS: ReadonlyMap<string, Schema> = new Map(
  METHODS.map((row) => [
    row.name,
    z.toJSONSchema(row.params, { io: 'input', target: 'draft-7', unrepresentable: 'any' }) as Schema,
  ]),
)

/**
 * A new project makes every later list longer, an identity takes its time to be replaced, and who is shut out or
 * put away calls no more: there are few of these.
 */
const RARE = new Set([
  'cacp/project/create',
  'cacp/project/sync',
  'cacp/project/archive',
  'cacp/identity/rotate',
  'cacp/peer/add',
  'cacp/peer/join',
  'cacp/peer/remove',
  'cacp/peer/revoke',
  'cacp/token/revoke',
])
const NAMES = [...SCHEMAS.keys()]

const PATHS: readonly (readonly [verb: string, path: string])[] = [
  ['GET', '/health'],
  ['GET', '/methods'],
  ['GET', '/.well-known/agent.json'],
  ['GET', '/.well-known/jwks.json'],
  ['GET', '/peers'],
  ['GET', '/files/'],
  ['POST', '/files'],
  ['POST', '/peers/register'],
  ['POST', '/pair'],
  ['OPTIONS', '/'],
  ['PUT', '/'],
  ['DELETE', '/files'],
]

/** One request as it goes over the wire, for any method or route, more or less as it should be. */
export function fuzzedRequest(dice: Dice, material: FuzzMaterial): Buffer {
  return dice.chance(0.8) ? call(dice, material) : visit(dice, material)
}

function call(dice: Dice, material: FuzzMaterial): Buffer {
  const body = dice.chance(0.1)
    ? Array.from({ length: dice.between(0, 5) }, () => envelope(dice, material))
    : envelope(dice, material)
  return written('POST', dice.chance(0.98) ? '/' : '/?x=1', body, dice, material)
}

function envelope(dice: Dice, { known }: FuzzMaterial): unknown {
  let method = dice.pick(NAMES)
  if (RARE.has(method) && dice.chance(0.95)) method = dice.pick(NAMES)
  const right = shapedBy(SCHEMAS.get(method) ?? {}, dice, { known })
  const params = dice.chance(0.6) ? spoiled(right, dice) : right
  const id = dice.chance(0.95) ? dice.between(0, 999) : undefined
  const whole = { jsonrpc: '2.0', id, method, params }
  return dice.chance(0.05) ? spoiled(whole, dice) : whole
}

function visit(dice: Dice, material: FuzzMaterial): Buffer {
  const [verb, path] = dice.pick(PATHS)
  const { known } = material
  const registration = {
    agentId: dice.chance(0.3) ? `aid://a/p${dice.between(0, 300)}@1.0.0` : dice.pick(known['agentId'] ?? []),
    endpoint: dice.pick(known['endpoint'] ?? []),
    repoName: 'r',
    publicKey: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) },
    apiKey: `cacp_sk_live_${'A'.repeat(43)}`,
    secret: 'A'.repeat(43),
    proof: 'a.b.c',
  }
  const body = dice.chance(0.5) ? registration : spoiled(registration, dice)
  const behind =
    path === '/files/'
      ? encodeURIComponent(wellFormed(dice.chance(0.2) ? 'ab'.repeat(32) : nastyText(dice)))
      : ''
  return written(verb, (path + behind).slice(0, 4000), verb === 'GET' ? undefined : body, dice, material)
}

function written(
  verb: string,
  path: string,
  body: unknown,
  dice: Dice,
  { host, senders }: FuzzMaterial,
): Buffer {
  const text = body === undefined ? '' : textOf(body, dice)
  const bytes = Buffer.from(text)
  const headers: Record<string, string> = {
    Host: dice.chance(0.98) ? host : 'evil.example',
    'Content-Type': dice.chance(0.95)
      ? path === '/files'
        ? 'application/octet-stream'
        : 'application/json'
      : 'text/plain',
    'Content-Length': String(bytes.length),
    ...dice.pick(senders),
    ...(dice.chance(0.05) ? { 'Idempotency-Key': headerText(dice) } : {}),
    ...(dice.chance(0.03) ? { Origin: 'http://evil.example' } : {}),
    ...(dice.chance(0.03) ? { 'X-Agent-ID': headerText(dice) } : {}),
    ...(dice.chance(0.03) ? { 'X-Project-Token': headerText(dice) } : {}),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${verb} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}

/** JSON, or something that only begins like it. */
function textOf(body: unknown, dice: Dice): string {
  const text = JSON.stringify(body) ?? ''
  if (dice.chance(0.97)) return text
  return dice.pick([
    text.slice(0, dice.between(0, text.length)),
    `${text}}`,
    text.replace(/"/, "'"),
    '['.repeat(5000),
  ])
}

const headerText = (dice: Dice): string =>
  nastyText(dice)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 500)

const wellFormed = (text: string): string => text.replace(/[\ud800-\udfff]/g, '?')
