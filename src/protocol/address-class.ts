/**
 * Which network an address belongs to. loopback: this machine; private: a network that is not the internet; public:
 * the internet; never: an address that no daemon can have, or that only a cloud's own services have.
 */
export type AddressClass = 'loopback' | 'private' | 'public' | 'never'

/** The class of a host as `URL` writes it, with one spelling of IPv4. Undefined for a name, which must be looked up. */
export function classOfHost(hostname: string): AddressClass | undefined {
  if (/^(?:.+\.)?localhost\.?$/i.test(hostname)) return 'loopback'
  if (hostname.startsWith('[')) return classOfAddress(hostname.slice(1, -1))
  return IPV4.test(hostname) ? classOfAddress(hostname) : undefined
}

/** The class of an address as sockets and lookups write it, with or without a zone. */
export function classOfAddress(address: string): AddressClass {
  if (IPV4.test(address)) return classOfIpv4(address.split('.').map(Number))
  const groups = ipv6Groups(address.split('%', 1)[0] ?? '')
  return groups === undefined ? 'never' : classOfIpv6(groups)
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

type Block = readonly [prefix: readonly number[], bits: number]

/** This network, link-local with the metadata services in it, multicast, reserved, and two single metadata addresses. */
const NEVER_V4: readonly Block[] = [
  [[0], 8],
  [[169, 254], 16],
  [[224], 3],
  [[100, 100, 100, 200], 32],
  [[168, 63, 129, 16], 32],
]

/** Home and office networks, carrier networks (CGNAT), and ranges for documentation and benchmarks. */
const PRIVATE_V4: readonly Block[] = [
  [[10], 8],
  [[172, 16], 12],
  [[192, 168], 16],
  [[100, 64], 10],
  [[192, 0, 0], 24],
  [[192, 0, 2], 24],
  [[192, 88, 99], 24],
  [[198, 18], 15],
  [[198, 51, 100], 24],
  [[203, 0, 113], 24],
]

function classOfIpv4(bytes: readonly number[]): AddressClass {
  if (bytes.some((byte) => byte > 255) || NEVER_V4.some((block) => isWithin(bytes, block, 8))) return 'never'
  if (bytes[0] === 127) return 'loopback'
  return PRIVATE_V4.some((block) => isWithin(bytes, block, 8)) ? 'private' : 'public'
}

const IPV4_MAPPED: Block = [[0, 0, 0, 0, 0, 0xffff], 96]
/** Addresses that carry an IPv4 address, each with the group at which that begins. */
const NAT64: Block = [[0x64, 0xff9b], 96]
const SIX_TO_FOUR: Block = [[0x2002], 16]
const GLOBAL_V6: Block = [[0x2000], 3]
/** The metadata service of a cloud, inside the private range. */
const METADATA_V6: Block = [[0xfd00, 0x0ec2], 32]
/** Tunnels whose end is unknown. */
const TEREDO: Block = [[0x2001, 0], 32]
const PRIVATE_V6: readonly Block[] = [
  [[0xfc00], 7],
  [[0xfec0], 10],
  [[0x2001, 0x0db8], 32],
  [[0x3fff], 20],
]

function classOfIpv6(groups: readonly number[]): AddressClass {
  const isIn = (block: Block) => isWithin(groups, block, 16)
  if (groups.every((group, index) => group === (index === 7 ? 1 : 0))) return 'loopback'
  if (isIn(IPV4_MAPPED)) return classOfIpv4(bytesAt(groups, 6))
  if (isIn(NAT64)) return onlyPublic(bytesAt(groups, 6))
  if (isIn(SIX_TO_FOUR)) return onlyPublic(bytesAt(groups, 1))
  if (isIn(METADATA_V6) || isIn(TEREDO)) return 'never'
  if (PRIVATE_V6.some(isIn)) return 'private'
  return isIn(GLOBAL_V6) ? 'public' : 'never'
}

/** An embedded address that is not public is refused: a translator elsewhere could reach an inner network by it. */
const onlyPublic = (bytes: readonly number[]): AddressClass =>
  classOfIpv4(bytes) === 'public' ? 'public' : 'never'

function bytesAt(groups: readonly number[], index: number): number[] {
  return groups.slice(index, index + 2).flatMap((group) => [group >> 8, group & 0xff])
}

/** Whether the first bits equal those of the block; `width` is the number of bits of one part. */
function isWithin(parts: readonly number[], [prefix, bits]: Block, width: number): boolean {
  for (let index = 0; index * width < bits; index++) {
    const free = Math.max(0, width - (bits - index * width))
    if ((parts[index] ?? 0) >> free !== (prefix[index] ?? 0) >> free) return false
  }
  return true
}

/** The eight groups of an IPv6 address without a zone, or undefined when it is none. */
export function ipv6Groups(text: string): number[] | undefined {
  const canonical = URL.canParse(`http://[${text}]/`) ? new URL(`http://[${text}]/`).hostname : undefined
  if (canonical === undefined) return undefined
  const [head = '', tail] = canonical.slice(1, -1).split('::')
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [first, last] = [read(head), read(tail ?? '')]
  const gap = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array<number>(gap).fill(0), ...last]
}
