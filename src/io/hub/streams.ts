import type { StreamConfig } from '@nats-io/jetstream'
import type { StreamLimits } from '../../domain/hub/found.ts'
import { factSubjects, registerSubjects } from '../../domain/hub/subject.ts'
import { STATEMENT_LIMITS } from '../../domain/statements/statement.ts'
import type { HubStream } from '../../engine/ports/hub.ts'

/** How the two streams of an organisation are named and made. */

const NANOS_PER_SECOND = 1_000_000_000
/** Within this time the server ignores what it has already stored. */
const DUPLICATE_SECONDS = 120
/** More than any statement has: a character takes three bytes at most, and the headers take their part. */
export const MESSAGE_BYTES = 3 * STATEMENT_LIMITS.textLength + 4096

export const STREAMS: readonly HubStream[] = ['facts', 'registers']

export const streamName = (org: string, stream: HubStream): string =>
  `CACP_${org.toUpperCase()}_${stream.toUpperCase()}`

/** Where agents put their cards, and files that others may fetch. */
export const bucketNames = (org: string) => ({ cards: `cacp_${org}_cards`, files: `cacp_${org}_files` })

/** A full stream refuses what is new instead of forgetting what is old. */
export function streamConfig(
  org: string,
  stream: HubStream,
  { replicas, maxBytes }: StreamLimits,
): Partial<StreamConfig> & { name: string } {
  return {
    name: streamName(org, stream),
    subjects: [stream === 'facts' ? factSubjects(org) : registerSubjects(org)],
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    num_replicas: replicas,
    max_bytes: maxBytes ?? -1,
    max_msg_size: MESSAGE_BYTES,
    max_msgs_per_subject: stream === 'registers' ? 1 : -1,
    duplicate_window: DUPLICATE_SECONDS * NANOS_PER_SECOND,
  }
}
