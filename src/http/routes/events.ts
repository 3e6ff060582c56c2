import { z } from 'zod'
import type { RouteAbout } from '../../describe/openapi.ts'
import { FEED_KINDS, FeedEvent } from '../../domain/feed/feed.ts'
import { fieldFault, readAs } from '../../protocol/read-as.ts'
import { lineOfJson, type SseFrame, sseText } from '../../protocol/sse/sse.ts'
import { Id } from '../../protocol/words.ts'
import { openEventStream } from '../reply/sse.ts'
import { readerOf } from '../request/reader.ts'
import type { Route, RouteDeps } from './routes.ts'

/** `?kind=contract&kind=packet` and `?kind=contract,packet` say the same. */
const Kinds = z.preprocess(
  (given) => (given === undefined ? undefined : [given].flat().flatMap((text) => String(text).split(','))),
  z.array(z.enum(FEED_KINDS)).max(20).optional(),
)
/** A filter that is not known would let everything through. */
const Query = z.strictObject({ projectId: Id.optional(), kind: Kinds, since: z.string().optional() })

const CloudEvent = z
  .looseObject({
    specversion: z.literal('1.0'),
    type: z.string().describe('dev.cacp.snapshot first of all, then dev.cacp.<kind>.changed'),
    source: z.string().describe('the agent of this daemon'),
    id: z.string(),
    time: z.iso.datetime({ offset: true }),
    subject: z.string().optional(),
    datacontenttype: z.literal('application/json'),
    data: z.union([FeedEvent, z.object({ cursor: z.string() })]),
  })
  .meta({ id: 'ChangeEvent' })

const ABOUT: RouteAbout = {
  summary: 'Follow what changes.',
  description:
    'CloudEvents, each with the cursor of its change as the id of the event. The first one tells the cursor from which it goes on: `?since=`, or now. `?projectId=` and `?kind=` (several: separated by commas) keep it to a project and to kinds.',
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
  const { self, services, clock, accessWatch, commentMillis } = deps

  const frame = (type: string, id: string, { cursor, at, subject, data }: Told): SseFrame => ({
    id: cursor,
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
  const texts = new WeakMap<FeedEvent, string>()
  const changed = (event: FeedEvent): string => {
    const known = texts.get(event)
    if (known !== undefined) return known
    const { cursor, kind, projectId, id, at } = event
    const about = { cursor, at, subject: `${projectId}/${id}`, data: event }
    const text = sseText(frame(`${kind}.changed`, cursor, about))
    texts.set(event, text)
    return text
  }
  const snapshot = (cursor: string): SseFrame =>
    frame('snapshot', `${cursor}.snapshot`, { cursor, at: clock.now(), data: { cursor } })

  return [
    {
      verb: 'get',
      path: '/events',
      access: 'read',
      permission: 'project:read',
      about: ABOUT,
      serve: async (request, response, caller) => {
        const { since, kind: kinds, projectId } = readQuery(request.query)
        const last = request.headers['last-event-id']
        const from =
          typeof last === 'string' && last !== '' ? { since: last, sinceField: 'Last-Event-ID' } : { since }
        // What is refused is refused here, while there still can be a status.
        const followed = services.feed.follow({ ...from, kinds, projectId }, caller, readerOf(response))
        const stream = openEventStream(response, { commentMillis, watch: accessWatch.watching(caller) })
        try {
          await stream.send([snapshot(followed.cursor)])
          for await (const events of followed.batches) await stream.sendTexts(events.map(changed))
        } finally {
          stream.end()
        }
      },
    },
  ]
}

interface Told {
  readonly cursor: string
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
