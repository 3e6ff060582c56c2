import { type HubTroubleKind, hubFault } from '../../domain/hub/trouble.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Nats } from './load-nats.ts'

/** What the server said or what kept us from it, as a Fault with a plain sentence and the next step. */

const STREAM_MISSING = 10059
/** Codes of JetStream: no room in the stream, in the account or on the disk. */
const NO_ROOM = new Set([10002, 10023, 10028, 10047, 10077])
const NO_JETSTREAM = new Set([10035, 10039, 10076])
/** What node says of a certificate that it does not accept. */
const CERTIFICATE =
  /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|ERR_TLS|ERR_SSL|certificate|HOSTNAME_MISMATCH/

/** Where it happened, for those whose words mean something else there. */
export interface At {
  readonly server: string
  /** A message that found nobody who stores it: there is no stream for its subject. */
  readonly isPublishing?: boolean
}

export const isStreamMissing = ({ JetStreamApiError }: Nats, error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === STREAM_MISSING

export function natsFault(nats: Nats, thrown: unknown, at: At): Fault {
  if (thrown instanceof Fault) return thrown
  const { errors } = nats
  const error = innermost(nats, thrown)
  const { message } = error
  const told = (trouble: HubTroubleKind, sentence: string, next?: string, data = {}) =>
    hubFault(trouble, sentence, { ...(next === undefined ? {} : { next }), data, cause: thrown })
  if (error instanceof errors.AuthorizationError || /authoriz|authentication/i.test(message))
    return told('credentials', `The hub at ${at.server} does not accept who this daemon is (${message})`)
  if (error instanceof errors.PermissionViolationError) {
    const verb = error.operation === 'publish' ? 'publish on' : 'subscribe to'
    return told('permission', `This daemon may not ${verb} ${error.subject} at the hub`, undefined, {
      subject: error.subject,
    })
  }
  if (error instanceof errors.TimeoutError)
    return told('slow', `The hub at ${at.server} did not answer in time`)
  if (error instanceof errors.NoRespondersError)
    return at.isPublishing === true
      ? told('no_streams', 'The hub has no stream that stores statements')
      : noJetStream(at, thrown)
  if (error instanceof nats.JetStreamApiError) return ofJetStream(error, at, thrown)
  if (message.includes("does not support 'tls'"))
    return told(
      'tls',
      `The hub at ${at.server} offers no TLS, without which others could read along`,
      'Give the server a certificate (docs/hub.md has the configuration); plain connections are made to this machine alone',
    )
  const { code } = error as NodeJS.ErrnoException
  if (CERTIFICATE.test(code ?? '') || CERTIFICATE.test(message))
    return told('tls', `The certificate of the hub at ${at.server} is not accepted (${code ?? message})`)
  return told('away', `The hub at ${at.server} cannot be reached (${code ?? message})`)
}

function ofJetStream(error: InstanceType<Nats['JetStreamApiError']>, at: At, cause: unknown): Fault {
  const { code, message } = error
  if (code === STREAM_MISSING)
    return hubFault('no_streams', `The hub at ${at.server} lacks a stream`, { cause })
  if (NO_JETSTREAM.has(code)) return noJetStream(at, cause)
  if (NO_ROOM.has(code)) return hubFault('full', `The hub stores nothing more (${message})`, { cause })
  // Without a leader, or while it starts.
  return hubFault('away', `The hub at ${at.server} cannot do it now (${message})`, { cause })
}

const noJetStream = ({ server }: At, cause: unknown): Fault =>
  hubFault('no_streams', `The hub at ${server} has no JetStream for this daemon`, {
    next: 'Start the server with JetStream (`nats-server -js`), or have it enabled for the account; a server whose disk was full is started again',
    cause,
  })

/** The library wraps the reason of a failed request. */
function innermost({ errors, JetStreamError }: Nats, thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const isWrapped =
    error instanceof errors.RequestError ||
    error instanceof JetStreamError ||
    error.name === 'JetStreamNotEnabled' ||
    error instanceof errors.ConnectionError
  return isWrapped && error.cause instanceof Error
    ? innermost({ errors, JetStreamError } as Nats, error.cause)
    : error
}
