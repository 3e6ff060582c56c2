import * as z from 'zod'
import { settingOf } from './agent/settings.ts'

/** The path at which a proxy shows this daemon, such as `/backend`; no segment of it begins with a dot. */
const BASE_PATH = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/

/** The dashboard, as `ui` in config.json describes it; false where there is none. */
export const UiSettings = settingOf(
  z.union([
    z.literal(false),
    z.strictObject({
      /** Whether people at other machines may use it, by the public URL. */
      remote: z.boolean().default(false),
      basePath: z.string().max(200).regex(BASE_PATH).default(''),
    }),
  ]),
  (given) => (given === true ? {} : given),
)
  .prefault({})
  .describe(
    'true, false, or an object with any of remote (true or false) and basePath (a path such as "/backend")',
  )
export type UiSettings = z.output<typeof UiSettings>

export const isRemoteUi = (ui: UiSettings): boolean => ui !== false && ui.remote
