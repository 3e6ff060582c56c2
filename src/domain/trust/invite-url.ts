import { wrongField } from '../../protocol/fault.ts'
import { assertEncrypted } from './allowed-endpoint.ts'

/** The parts of an invite URL. Its secret is in the fragment, which HTTP clients never send. */
export interface InviteLink {
  readonly endpoint: string
  readonly secret: string
  /** Id of the key that the inviter must prove to have. */
  readonly keyId: string
  /** SHA-256 in hex of the inviter's certificate, if no authority signed it. */
  readonly certificate: string | null
}

const FRAGMENT = /^#([A-Za-z0-9_-]{22,86})\.([A-Za-z0-9_-]{43})(?:\.([0-9a-f]{64}))?$/
const LONGEST = 4096

export function inviteUrl({ endpoint, secret, keyId, certificate }: InviteLink): string {
  return `${endpoint}/pair#${[secret, keyId, ...(certificate === null ? [] : [certificate])].join('.')}`
}

/** Parses a pasted URL. The fault does not repeat it, because it may contain a secret. */
export function readInviteUrl(text: string): InviteLink {
  const url = text.length <= LONGEST && URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  const parts = FRAGMENT.exec(url?.hash ?? '')
  const isWhole = url !== undefined && parts !== null && url.pathname.endsWith('/pair') && url.search === ''
  if (!isWhole || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw wrongField('url', 'must be a URL that `cacpd invite` printed', {
      next: 'Paste it whole and in quotes: http://…/pair#… or https://…/pair#…',
    })
  assertEncrypted(url.origin)
  const [, secret = '', keyId = '', certificate = null] = parts
  return { endpoint: `${url.origin}${url.pathname.slice(0, -'/pair'.length)}`, secret, keyId, certificate }
}
