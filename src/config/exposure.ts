import { classOfHost } from '../protocol/address-class.ts'

export interface Exposure {
  readonly host: string
  readonly open: boolean
  readonly publicUrl: string | null
  readonly tlsCert: string | null
  readonly tlsKey: string | null
}

/** Whether only this machine can reach the address. */
export const isLoopbackHost = (host: string): boolean =>
  classOfHost(host.includes(':') ? `[${host}]` : host) === 'loopback'

/** Whether calls come over TLS: always when other machines can call, otherwise only with a certificate. */
export const isEncrypted = ({ host, tlsCert }: Pick<Exposure, 'host' | 'tlsCert'>): boolean =>
  tlsCert !== null || !isLoopbackHost(host)

/** Whether calls from other machines come through a proxy on this one. */
export const isBehindProxy = ({ host, publicUrl }: Pick<Exposure, 'host' | 'publicUrl'>): boolean =>
  publicUrl !== null && isLoopbackHost(host)

/** The certificate that invited daemons pin: none behind a proxy, which has its own. */
export function toBePinned(
  certificate: { readonly isSelfSigned: boolean; readonly fingerprint: string } | undefined,
  exposure: Pick<Exposure, 'host' | 'publicUrl'>,
): { certificate?: string } {
  const isShown = certificate?.isSelfSigned === true && !isBehindProxy(exposure)
  return isShown ? { certificate: certificate.fingerprint } : {}
}

/** Why a daemon must not start with these settings, and what to do; undefined when it may. */
export function objectionTo({ host, open, publicUrl, tlsCert, tlsKey }: Exposure): string | undefined {
  const isAway = !isLoopbackHost(host)
  if (isAway && open)
    return `--open lets callers in without a key, which is only safe on this machine: leave out --open, or --host ${host}`
  if (open && publicUrl !== null)
    return '--open lets callers in without a key, so nobody else may reach it: leave out --open, or --public-url'
  if (isAway && publicUrl === null)
    return `--host ${host} lets other machines call: say by which URL they reach this daemon, with --public-url https://NAME:PORT`
  if ((tlsCert === null) !== (tlsKey === null))
    return 'a certificate and its key go together: give --tls-cert and --tls-key, or neither for a certificate of our own'
  return undefined
}
