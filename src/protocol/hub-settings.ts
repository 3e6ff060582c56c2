import * as z from 'zod'
import { settingOf } from './agent/settings.ts'

/** `nats://` or `tls://`, a name or an address, and a port; no path, and no password in it. */
const SERVER = /^(?:nats|tls):\/\/(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/
const MOST_SERVERS = 20

const File = z.string().min(1).max(4096)

/** One server, or those of a cluster separated by commas. */
export const HubUrl = z
  .string()
  .max(5000)
  .refine(
    (url) => serversIn(url).length <= MOST_SERVERS && serversIn(url).every(isServer),
    'must be nats://HOST:PORT or tls://HOST:PORT, without a user or a path (of a cluster several, separated by commas)',
  )

/** The organisation's part in the names of subjects and streams. */
export const HubOrg = z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and -')

/** The hub that this daemon uses, as `hub` in config.json describes it; null where there is none. */
export const HubSettings = settingOf(
  z
    .strictObject({
      url: HubUrl,
      org: HubOrg.default('default'),
      /** Files that say who this daemon is there: credentials as an operator's tools write them, or the seed of a key. */
      creds: File.optional(),
      nkey: File.optional(),
      /** The certificate of the authority that signed the server's, where the system does not know it. */
      tlsCa: File.optional(),
      /** Whether projects that only members see travel too, because the permissions of the hub keep others out. */
      members: z.boolean().default(false),
    })
    .refine(({ creds, nkey }) => creds === undefined || nkey === undefined)
    .nullable(),
  (given) => (typeof given === 'string' ? { url: given } : given),
)
  .default(null)
  .describe(
    'a URL such as nats://hub.example:4222, or an object with url and any of org, creds or nkey (paths of files, one of them), tlsCa (a path), members (true or false)',
  )
export type HubSettings = NonNullable<z.output<typeof HubSettings>>

export const serversIn = (url: string): readonly string[] => url.split(',').map((one) => one.trim())

const isServer = (text: string): boolean => SERVER.test(text) && URL.canParse(text)
