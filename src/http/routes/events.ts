import * as z from 'zod'
import type { RouteAbout } from '../../describe/openapi.ts'
import { type Caller, seesEverything } from '../../domain/env.ts'
import { FEED_KINDS, FeedEvent, FeedNotice } from '../../domain/feed/feed.ts'
import { LOCAL_PARTS, type LocalNews } from '../../methods/seat/service.ts'
import { oncePer } from '../../protocol/collections/once-per.ts'
import { Fault } from '../../protocol/fault.ts'
import { fieldFault, readAs } from '../../protocol/read-as.ts'
import { lineOfJson, type SseFrame, sseText } from '../../protocol/sse/sse.ts'
import { Id } from '../../protocol/words.ts'
import { type EventStream, openEventStream } from '../reply/sse.ts'
import { readerOf } from '../request/reader.ts'
import type { Route, RouteDeps } from './routes.ts'

/** `?kind=contract&kind=packet` and `?kind=contract,packet` say the same. */
const Kinds = z.preprocess(
  (given) => (given === undefined ? undefined : [given].flat().flatMap((text) => String(text).split(','))),
  z.array(z.enum(FEED_KINDS)).max(20).optional(),
)
/** A filter that is not known would let everything through. */
const YesOrNo = z.enum(['yes', 'no'], 'must be yes or no')
const Query = z.strictObject({
  projectId: Id.optional(),
  kind: Kinds,
  since: z.string().optional(),
  values: YesOrNo.default('yes'),
  local: YesOrNo.default('no'),
})

const LocalChanged = z
  .object({
    table: z.enum(LOCAL_PARTS),
    ids: z.array(z.string()).readonly().describe('of what changed in it, at most 50'),
  })
  .meta({ id: 'LocalChanged' })

const CloudEvent = z
  .looseObject({
    specversion: z.literal('1.0'),
    type: z
      .string()
      .describe('dev.cacp.snapshot first of all, then dev.cacp.<kind>.changed and dev.cacp.local.changed'),
    source: z.string().describe('the agent of this daemon'),
    id: z.string(),
    time: z.iso.datetime({ offset: true }),
    subject: z.string().optional(),
    datacontenttype: z.literal('application/json'),
    data: z.union([FeedEvent, FeedNotice, LocalChanged, z.object({ cursor: z.string() })]),
  })
  .meta({ id: 'ChangeEvent' })

const ABOUT: RouteAbout = {
  summary: 'Follow what changes.',
  description:
    'CloudEvents, each with the cursor of its change as the id of the event. The first one tells the cursor from which it goes on: `?since=`, or now. `?projectId=` and `?kind=` (several: separated by commas) keep it to a project and to kinds. `?values=no` leaves the entities out, and tells of a contract its name, version and status. `?local=yes`, for the operator, also tells when peers, runs, work or invites of this daemon look different: such an event has no cursor, and comes for each of them at most every quarter of a second.',
  headers: { 'Last-Event-ID': 'Goes on after this event, whatever `since` says' },
  answers: {
    200: {
      description: 'An Event Stream whose data are these objects as JSON text',
      contents: { 'text/event-stream': CloudEvent },
    },
  },
}

/** The feed as a stream. Nothing is kept for a reader: each reads the log at its own pace. */
export function eventRoutes(deps: RouteDeps): readonly Route[] {
  const { self, services, clock, accessWatch, commentMillis, report } = deps

  const frame = (type: string, id: string, { cursor, at, subject, data }: Told): SseFrame => ({
    ...(cursor === undefined ? {} : { id: cursor }),
    data: lineOfJson({
      specversion: '1.0',
      type: `dev.cacp.${type}`,
      source: self.agentId,
      id,
      time: at,
      ...(subject === undefined ? {} : { subject }),
      datacontenttype: 'application/json',
      data,
    }),
  })
  /** All who may see an event are told it by the same text. */
  const changed = oncePer((event: FeedEvent | FeedNotice): string => {
    const { cursor, kind, projectId, id, at } = event
    const about = { cursor, at, subject: `${projectId}/${id}`, data: event }
    return sseText(frame(`${kind}.changed`, cursor, about))
  })
  const snapshot = (cursor: string): SseFrame =>
    frame('snapshot', `${cursor}.snapshot`, { cursor, at: clock.now(), data: { cursor } })
  const localChanged = (news: LocalNews): SseFrame => {
    const at = clock.now()
    return frame('local.changed', `local.${news.table}.${at}`, { at, subject: news.table, data: news })
  }

  /** Beside the changes, until the reader has gone. */
  async function tellLocal(stream: EventStream, signal: AbortSignal): Promise<void> {
    for await (const news of services.local.follow(signal)) await stream.send(news.map(localChanged))
  }

  return [
    {
      verb: 'get',
      path: '/events',
      access: 'read',
      permission: 'project:read',
      about: ABOUT,
      serve: async (request, response, caller) => {
        const { since, kind: kinds, projectId, values, local } = readQuery(request.query)
        if (local === 'yes' && !seesEverything(caller)) throw notForThem(caller)
        const last = request.headers['last-event-id']
        const from =
          typeof last === 'string' && last !== '' ? { since: last, sinceField: 'Last-Event-ID' } : { since }
        // What is refused is refused here, while there still can be a status.
        const query = { ...from, kinds, projectId }
        const followed =
          values === 'no'
            ? services.feed.followNotices(query, caller, readerOf(response))
            : services.feed.follow(query, caller, readerOf(response))
        const stream = openEventStream(response, { commentMillis, watch: accessWatch.watching(caller) })
        const leaving = new AbortController()
        try {
          await stream.send([snapshot(followed.cursor)])
          if (local === 'yes')
            tellLocal(stream, AbortSignal.any([stream.signal, leaving.signal])).catch(report)
          for await (const events of followed.batches) await stream.sendTexts(events.map(changed))
        } finally {
          leaving.abort()
          stream.end()
        }
      },
    },
  ]
}

const notForThem = ({ agentId }: Caller): Fault =>
  new Fault('forbidden', `local: ${agentId} may not see what concerns this daemon alone`, {
    next: 'Leave local out, or send the operator key',
    data: { field: 'local' },
  })

interface Told {
  /** Missing for what cannot be gone on from. */
  readonly cursor?: string
  readonly at: string
  readonly subject?: string
  readonly data: object
}

const EXAMPLE = 'For example GET /events?projectId=f0ebc7e6-3b58-4d02-abb1-b63e1e0ba7ac&kind=contract,packet'

const readQuery = (query: unknown): z.output<typeof Query> =>
  readAs(Query, query, ({ unknownKeys: [unknown] = [], ...misfit }) =>
    fieldFault(
      unknown === undefined
        ? misfit
        : { field: unknown.slice(0, 200), problem: 'there is no such filter', isMissing: false },
      { next: () => EXAMPLE },
    ),
  )
