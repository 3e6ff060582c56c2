import * as z from 'zod'
import { Fault } from '../fault.ts'
import { FreeObject } from '../json/json.ts'
import { type LiteralJson, memberOf, parseLiteral, pythonText, withoutMember } from '../json/literal-json.ts'
import { fieldFault, readAs } from '../read-as.ts'
import { Name, Sha256, Text } from '../words.ts'
import { Aid } from './aid.ts'

/** The Agent Discovery Protocol: the manifests by which agents register with an exchange. */

export const ADP_LIMITS = {
  /** Characters of JSON of one manifest. */
  manifestLength: 64 * 1024,
  protocols: 20,
  capabilities: 200,
  languages: 50,
  previousKeys: 50,
  rotations: 50,
  queryLength: 500,
  pageItems: 100,
  offset: 100_000,
  /** Most agents registered with one exchange. */
  agents: 10_000,
  /** An unsigned registration that is older can be removed when the limit is reached. */
  staleSeconds: 7 * 24 * 60 * 60,
} as const

/** `ed25519:` and the key in base64, in one of the forms that people publish; see `signingKeyIn`. */
const SigningKey = z
  .string()
  .max(300)
  .transform((text, { addIssue }) => {
    const key = signingKeyIn(text)
    if (key === undefined)
      addIssue('must be ed25519: and the base64 of a public key of 32 bytes, or of its 44 bytes as SPKI')
    return key ?? ''
  })

const SigningKeys = z.object({
  current: SigningKey,
  next: SigningKey.nullish(),
  rotationDate: z.string().max(100).nullish(),
  previous: z.array(z.unknown()).max(ADP_LIMITS.previousKeys).nullish(),
})

const Protocol = z.object({ type: Name, endpoint: z.string().max(2048).nullish(), version: Text.nullish() })
const Words = z.array(Name).max(ADP_LIMITS.languages)

/** What every manifest must have, and the types of the optional fields that this daemon reads. */
const Manifest = z.object({
  aid: Aid,
  name: Name,
  description: Text.nullish(),
  owner: z.object({ org: Text.nullish() }).nullish(),
  capabilities: z
    .array(z.object({ id: Text.nullish(), description: Text.nullish() }))
    .max(ADP_LIMITS.capabilities)
    .nullish(),
  invocation: z.object({ protocols: z.array(Protocol).min(1).max(ADP_LIMITS.protocols) }),
  metadata: z
    .object({
      cacp: z.object({ role: Name.nullish(), languages: Words.nullish() }).nullish(),
      cacpd: z
        .object({
          rotations: z.array(z.string()).max(ADP_LIMITS.rotations).nullish(),
          certificate: Sha256.nullish(),
        })
        .nullish(),
    })
    .nullish(),
  security: z.object({ signingKeys: SigningKeys.nullish() }).nullish(),
  updatedAt: z.string().max(100).nullish(),
  signature: z.string().max(300).nullish(),
})
type Manifest = z.output<typeof Manifest>

/** Fields that ADP requires in addition. Manifests of CACP agents lack them, and are accepted all the same. */
const Complete = z.object({
  owner: z.object({ org: Name }),
  capabilities: z.array(z.object({ id: Name, description: z.string().min(10).max(500) })).min(1),
  privacy: z.object({
    dataRetentionDays: z.int().min(-1),
    dataRegions: z.array(z.unknown()).min(1),
    dataSharing: z.enum(['none', 'anonymized', 'partners', 'public']),
  }),
  security: z.object({ signingKeys: z.object({ current: z.string() }) }),
  updatedAt: z.string(),
})

/** A parsed manifest with the texts for its signature. */
export interface ReadManifest {
  readonly manifest: Manifest
  /** The whole manifest in a normal form, independent of spaces and key order; numbers as they were written. */
  readonly text: string
  /** The signed text: the same without the signature. */
  readonly signedText: string
}

/** Reads the manifest that is this member of a JSON text, or the whole text. Throws a Fault that names the field. */
export function readManifest(json: string, member?: string): ReadManifest {
  const whole = literalIn(json)
  return manifestAt(member === undefined ? whole : memberOf(whole, member))
}

/** Reads a manifest from a part of a parsed text. */
export function manifestAt(node: LiteralJson | undefined): ReadManifest {
  if (node?.kind !== 'object')
    throw fieldFault({ field: 'manifest', problem: 'must be a JSON object', isMissing: node === undefined })
  const text = pythonText(node)
  if (text.length > ADP_LIMITS.manifestLength)
    throw new Fault('too_large', `manifest: must be at most ${ADP_LIMITS.manifestLength} characters of JSON`)
  const value: unknown = JSON.parse(text)
  const manifest = checked(Manifest, value)
  if (!manifest.invocation.protocols.some(({ type }) => type === 'cacp')) checked(Complete, value)
  return { manifest, text, signedText: pythonText(withoutMember(node, 'signature')) }
}

/** Reads a manifest that was checked before and stored as text. */
export const keptManifest = (text: string): Manifest => Manifest.parse(JSON.parse(text))

export function cacpEndpoint({ invocation }: Manifest): string | undefined {
  const found = invocation.protocols.find(({ type, endpoint }) => type === 'cacp' && endpoint != null)
  return found?.endpoint ?? undefined
}

/** The key as 32 bytes in base64url, as in a JWK. */
export function signingKeyIn(text: string): string | undefined {
  const bytes = bytesIn(text.replace(/^ed25519:/, ''))
  if (bytes === undefined) return undefined
  // One recipe in circulation encodes the key twice.
  const key = rawKey(bytes) ?? rawKey(bytesIn(bytes.trim()) ?? '')
  return key === undefined ? undefined : base64Url(key)
}

/** The 64 bytes of a signature in base64, without a prefix. */
export function signatureIn(text: string): string | undefined {
  const bytes = bytesIn(text.replace(/^ed25519:/, ''))
  return bytes?.length === 64 ? btoa(bytes) : undefined
}

/** The bytes before the key in the DER form of an Ed25519 public key. */
const SPKI_PREFIX = '\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00'

function rawKey(bytes: string): string | undefined {
  if (bytes.length === 32) return bytes
  return bytes.length === 44 && bytes.startsWith(SPKI_PREFIX) ? bytes.slice(SPKI_PREFIX.length) : undefined
}

/** The bytes of base64 in either alphabet, one character per byte. */
function bytesIn(base64: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) return undefined
  try {
    return atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return undefined
  }
}

const base64Url = (bytes: string): string =>
  btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

function literalIn(json: string): LiteralJson {
  try {
    return parseLiteral(json)
  } catch (error) {
    throw new Fault('parse_error', `This cannot be read as JSON: ${(error as Error).message.slice(0, 100)}`)
  }
}

const checked = <Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> =>
  readAs(shape, value, (misfit) => fieldFault(misfit, { root: ['manifest'] }))

/** The body of a search, as CACP agents and the ADP documents write it. */
export const Search = z.object({
  query: z.string().max(ADP_LIMITS.queryLength).default(''),
  filters: FreeObject.nullish(),
  limit: z.int().min(1).max(ADP_LIMITS.pageItems).default(10),
  offset: z.int().min(0).max(ADP_LIMITS.offset).default(0),
})
export type Search = z.output<typeof Search>
