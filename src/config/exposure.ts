import { ensureCertificate, readCertificate, type ServerCertificate } from '../io/identity/certificate.ts'
import { classOfHost } from '../protocol/address-class.ts'
import { namesOf } from './addresses.ts'
import type { Settings } from './settings.ts'

export type Exposure = Readonly<Pick<Settings, 'host' | 'open' | 'publicUrl' | 'tlsCert' | 'tlsKey'>>

/** Whether only this machine can reach the address. */
const isLoopbackHost = (host: string): boolean =>
  classOfHost(host.includes(':') ? `[${host}]` : host) === 'loopback'

/** With TLS always when other machines can call, otherwise only if a certificate is given; without it undefined. */
export async function certificateFor(exposure: Omit<Exposure, 'open'> & { readonly dataDir: string }) {
  const { host, tlsCert, tlsKey, dataDir } = exposure
  if (tlsCert !== null && tlsKey !== null) return readCertificate(tlsCert, tlsKey)
  return isLoopbackHost(host) ? undefined : ensureCertificate(dataDir, namesOf(exposure))
}

/** Whether calls from other machines come through a proxy on this one. */
export const isBehindProxy = ({ host, publicUrl }: Pick<Exposure, 'host' | 'publicUrl'>): boolean =>
  publicUrl !== null && isLoopbackHost(host)

/** The certificate that invited daemons pin: none behind a proxy, which has its own. */
export function toBePinned(
  certificate: ServerCertificate | undefined,
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
