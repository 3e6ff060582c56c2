import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node'
import { hubFault } from '../../domain/hub/trouble.ts'
import { classOfHost } from '../../protocol/address-class.ts'
import { type HubSettings, serversIn } from '../../protocol/hub-settings.ts'
import { readSmallFile } from '../identity/private-file.ts'
import type { Nats } from './load-nats.ts'
import { natsFault } from './nats-fault.ts'

export interface HubAccess extends HubSettings {
  /** By which whoever runs the hub recognises the connection. */
  readonly name: string
}

const CONNECT_MILLIS = 10_000
/** A connection that died in silence, as while a laptop sleeps, is noticed after two of these. */
const PING_MILLIS = 5000

export interface Connected {
  readonly connection: NatsConnection
  /** What the subjects begin with on which this daemon is answered. */
  readonly inboxPrefix: string
}

/** Connects once: the lane tries again, so that there is one place that waits. */
export async function connectTo(nats: Nats, access: HubAccess, signal: AbortSignal): Promise<Connected> {
  const options = await optionsOf(nats, access)
  signal.throwIfAborted()
  const connecting = nats.connect(options)
  const given = new AbortController()
  const isAborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: given.signal }),
  )
  try {
    return { connection: await Promise.race([connecting, isAborted]), inboxPrefix: options.inboxPrefix }
  } catch (error) {
    // One that is made after all is closed again.
    connecting.then(
      (late) => late.close(),
      () => {},
    )
    throw natsFault(nats, error, { server: access.url })
  } finally {
    given.abort()
  }
}

async function optionsOf(nats: Nats, access: HubAccess) {
  const { url, tlsCa, name } = access
  const user = await userOf(nats, access)
  const tls = tlsCa === undefined ? {} : { ca: await readNamed('tlsCa', tlsCa) }
  return {
    servers: serversIn(url).map((one) => one.replace(/^tls:/, 'nats:')),
    name,
    timeout: CONNECT_MILLIS,
    pingInterval: PING_MILLIS,
    maxPingOut: 2,
    reconnect: false,
    noAsyncTraces: true,
    inboxPrefix: user === undefined ? '_INBOX' : inboxOf(user.key),
    ...(user === undefined ? {} : { authenticator: user.authenticator }),
    // With this the server has to show a certificate.
    ...(needsTls(access) ? { tls } : {}),
  } satisfies NodeConnectionOptions
}

/** What leaves this machine is encrypted; on it, that is up to the server. */
export const needsTls = ({ url, tlsCa }: Pick<HubSettings, 'url' | 'tlsCa'>): boolean =>
  tlsCa !== undefined || serversIn(url).some((one) => one.startsWith('tls:') || !isHere(one))

const isHere = (server: string): boolean =>
  classOfHost(new URL(server.replace(/^[a-z]+:/, 'http:')).hostname) === 'loopback'

/** Answers to this daemon alone: permissions can keep other daemons from listening there. */
export const inboxOf = (key: string): string => `_INBOX.${key}`

/** The credentials are read for every connection, so that renewed ones are used. */
async function userOf(nats: Nats, { creds, nkey }: HubSettings) {
  if (creds !== undefined) {
    const text = await readNamed('creds', creds)
    const seed = /-----BEGIN USER NKEY SEED-----\s*(\S+)\s*-+END/.exec(text)?.[1]
    const key = keyIn(nats, seed ?? '', 'creds', creds)
    return { authenticator: nats.credsAuthenticator(new TextEncoder().encode(text)), key }
  }
  if (nkey === undefined) return undefined
  const seed = (await readNamed('nkey', nkey)).trim()
  const key = keyIn(nats, seed, 'nkey', nkey)
  return { authenticator: nats.nkeyAuthenticator(new TextEncoder().encode(seed)), key }
}

function keyIn({ nkeys }: Nats, seed: string, setting: string, path: string): string {
  try {
    const key = nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey()
    if (key.startsWith('U')) return key
  } catch {
    // Told below.
  }
  throw hubFault('credentials', `hub.${setting}: ${path} holds no seed of a user's key (SU…)`)
}

async function readNamed(setting: 'creds' | 'nkey' | 'tlsCa', path: string): Promise<string> {
  try {
    return await readSmallFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw hubFault('credentials', `hub.${setting}: ${path} cannot be read (${code})`, {
      next: 'Name a file that this daemon may read, with `cacpd hub connect`',
    })
  }
}
