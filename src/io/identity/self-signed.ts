import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { ipv6Groups } from '../../protocol/address-class.ts'

/**
 * A self-signed certificate for callers who know its hash beforehand: X.509 v3 with a P-256 key. It is encoded in DER
 * here, because this one form needs no library.
 */

export interface SelfSignedOptions {
  /** The host names and addresses that it is valid for. */
  readonly names: readonly string[]
  readonly from: Date
  readonly until: Date
}

/** Private key and certificate, as PEM. */
export function selfSigned(options: SelfSignedOptions): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const toSign = certificateToSign(publicKey, options)
  const signature = sign('sha256', toSign, privateKey)
  const der = sequence(toSign, ECDSA_WITH_SHA256, bits(signature))
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return `${key}-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

function certificateToSign(publicKey: KeyObject, { names, from, until }: SelfSignedOptions): Buffer {
  const name = sequence(set(sequence(COMMON_NAME, tagged(0x0c, Buffer.from('cacpd')))))
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' })
  return sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(from), time(until)),
    name,
    subjectKey,
    tagged(0xa3, sequence(keyIdentifier(subjectKey), alternativeNames(names))),
  )
}

/** Positive, as the standard requires, and unique. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes
}

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) =>
    isIP(name) === 0 ? tagged(0x82, Buffer.from(name, 'latin1')) : tagged(0x87, addressBytes(name)),
  )
  return sequence(ALTERNATIVE_NAME, tagged(0x04, sequence(...entries)))
}

function keyIdentifier(subjectKey: Buffer): Buffer {
  const hash = createHash('sha256').update(subjectKey).digest().subarray(0, 20)
  return sequence(KEY_IDENTIFIER, tagged(0x04, tagged(0x04, hash)))
}

function addressBytes(address: string): Buffer {
  const groups = ipv6Groups(address)
  return Buffer.from(groups?.flatMap((group) => [group >> 8, group & 0xff]) ?? address.split('.').map(Number))
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))
const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts))
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes)
const bits = (bytes: Buffer): Buffer => tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]))
const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))

/** Object identifiers in their DER encoding. */
const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'))
const COMMON_NAME = identifier('550403')
const ALTERNATIVE_NAME = identifier('551d11')
const KEY_IDENTIFIER = identifier('551d0e')

/** UTCTime for years before 2050, GeneralizedTime after that, as the standard requires. */
function time(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '')
  const isShort = date.getUTCFullYear() < 2050
  return isShort ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits))
}

/** A value preceded by its tag and length. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
