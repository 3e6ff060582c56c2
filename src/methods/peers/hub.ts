import * as z from 'zod'
import { defined } from '../../protocol/collections/defined.ts'
import { HubOrg, HubUrl } from '../../protocol/hub-settings.ts'
import { Flag, listOf } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'
import { Refused } from '../shapes.ts'

/** The hub of an organisation, over which daemons exchange statements that know no address of each other. */

/** Of the machine on which the daemon runs; whole, because it was started somewhere else than it is called from. */
const FilePath = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^(?:\/|[A-Za-z]:[\\/])/, 'must be a whole path, from the root')

const Credentials = {
  creds: FilePath.optional().describe('file with the credentials that whoever runs the hub gave out'),
  nkey: FilePath.optional().describe("file with the seed of this daemon's key at the hub, instead of creds"),
}

const EITHER = { path: ['nkey'], error: 'give creds or nkey, not both' }
const isEither = ({ creds, nkey }: { creds?: string | undefined; nkey?: string | undefined }): boolean =>
  creds === undefined || nkey === undefined

const FoundStream = z.object({
  name: z.string(),
  isThere: z.boolean().describe('false: it has to be made first, by cacp/hub/init'),
  messages: z.int(),
  bytes: z.int(),
  replicas: z.int(),
})

const EXAMPLE_STREAM = { name: 'CACP_ACME_FACTS', isThere: true, messages: 120, bytes: 96_000, replicas: 3 }

export const connect = method({
  name: 'cacp/hub/connect',
  summary: 'Use a hub: try it, and if it can be reached exchange statements over it from now on.',
  access: 'operator',
  params: z
    .object({
      url: HubUrl.describe('nats://HOST:PORT or tls://HOST:PORT; of a cluster several, separated by commas'),
      org: HubOrg.default('default').describe('organisation: daemons with the same one exchange statements'),
      ...Credentials,
      tlsCa: FilePath.optional().describe("certificate of the authority that signed the hub's, in PEM"),
      members: Flag.describe('let projects travel that only members see, because the hub keeps others out'),
    })
    .refine(isEither, EITHER),
  result: z.object({
    status: z.enum(['connected', 'no_streams']).describe('no_streams: cacp/hub/init has to make them first'),
    url: z.string(),
    org: z.string(),
    server: z.string(),
    version: z.string(),
    isEncrypted: z.boolean(),
    maxPayload: z.int().describe('bytes of the largest message that it takes'),
    streams: z.array(FoundStream).readonly(),
  }),
  example: {
    params: { url: 'tls://hub.example:4222', org: 'acme', nkey: '/etc/cacpd/backend.nk' },
    result: {
      status: 'connected',
      url: 'tls://hub.example:4222',
      org: 'acme',
      server: 'hub-1',
      version: '2.12.7',
      isEncrypted: true,
      maxPayload: 2_097_152,
      streams: [EXAMPLE_STREAM, { ...EXAMPLE_STREAM, name: 'CACP_ACME_REGISTERS' }],
    },
  },
}).serve(({ hubSetup }, { creds, nkey, tlsCa, ...settings }) => {
  const { url, org } = settings
  return hubSetup.connect({ ...settings, ...defined({ creds, nkey, tlsCa }) }).then((found) => {
    const isWhole = found.streams.every(({ isThere }) => isThere)
    return { status: isWhole ? 'connected' : 'no_streams', url, org, ...found }
  })
})

export const disconnect = method({
  name: 'cacp/hub/disconnect',
  summary: 'Use no hub any more; what it carried here stays.',
  access: 'operator',
  params: z.object({}),
  result: z.object({ status: z.enum(['disconnected', 'not_connected']) }),
  example: { params: {}, result: { status: 'disconnected' } },
}).serve(({ hubSetup }) =>
  hubSetup.disconnect().then((wasThere) => ({ status: wasThere ? 'disconnected' : 'not_connected' })),
)

export const init = method({
  name: 'cacp/hub/init',
  summary:
    'Make the streams and buckets of the organisation at the hub, or change the limits of its streams.',
  access: 'operator',
  params: z
    .object({
      replicas: z.int().min(1).max(5).default(1).describe('servers of a cluster that keep each message'),
      maxBytes: z
        .int()
        .min(1024 * 1024)
        .optional()
        .describe('what each stream may take; beyond it the hub refuses what is new; left out: no limit'),
      ...Credentials,
    })
    .refine(isEither, EITHER),
  result: z.object({
    streams: z.array(z.object({ name: z.string(), did: z.enum(['made', 'changed', 'in_order']) })).readonly(),
  }),
  example: {
    params: { replicas: 3 },
    result: { streams: [{ name: 'CACP_ACME_FACTS', did: 'made' }] },
  },
}).serve(({ hubSetup }, { replicas, maxBytes, creds, nkey }) =>
  hubSetup.init({ replicas, maxBytes }, defined({ creds, nkey })).then((streams) => ({ streams })),
)

const HubReport = z.object({
  url: z.string(),
  org: z.string(),
  state: z
    .enum(['connecting', 'reading', 'offering', 'current'])
    .describe('current: everything was read there, and everything from here is there'),
  troubles: listOf(
    z.object({ kind: z.string(), message: z.string(), next: z.string(), since: z.string() }),
  ).describe('what is wrong, each with what can be done about it; empty when all is well'),
  failures: z.int().describe('in a row'),
  lastSeen: z.string().nullable(),
  unread: z.int().nullable().describe('messages there that were not read yet; null where nobody can tell'),
  unoffered: z.int().describe('statements here that it may lack'),
  clockSkewSeconds: z.number().nullable().describe('by how much its clock is ahead of the one here'),
  refusedHere: Refused.describe('messages of it that were not taken since this daemon started'),
  waiting: z
    .object({ count: z.int(), since: z.string().nullable() })
    .describe('statements from it that cite what nobody has sent yet'),
  refusedThere: Refused.describe('statements that it did not take'),
  projects: listOf(
    z.object({
      projectId: z.string(),
      name: z.string(),
      visibility: z.string(),
      travels: z.boolean().describe('whether it is exchanged over the hub'),
    }),
  ),
})
export type HubReport = z.output<typeof HubReport>

export const status = method({
  name: 'cacp/hub/status',
  summary: 'See how the daemon is doing with its hub, what is wrong there, and which projects travel.',
  access: 'operator',
  noted: 'never',
  params: z.object({}),
  result: z.object({ hub: HubReport.nullable().describe('null where this daemon uses none') }),
  example: {
    params: {},
    result: {
      hub: {
        url: 'tls://hub.example:4222',
        org: 'acme',
        state: 'current',
        troubles: [],
        failures: 0,
        lastSeen: EXAMPLE.time,
        unread: 0,
        unoffered: 0,
        clockSkewSeconds: 0,
        refusedHere: { count: 0, newest: [] },
        waiting: { count: 0, since: null },
        refusedThere: { count: 0, newest: [] },
        projects: [{ projectId: EXAMPLE.projectId, name: 'User Auth', visibility: 'all', travels: true }],
      },
    },
  },
}).serve(({ hub, hubSetup }) => {
  const found = hub.status()
  return Promise.resolve({ hub: found && { url: hubSetup.settings?.url ?? '', ...found } })
})
