import { openApiDocument } from '../../describe/openapi.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { ABOUT, JSON_RPC_ROUTE } from './about.ts'
import { getJson, type Route } from './routes.ts'

/** These routes, and the one that describes them all. */
export function withOpenApi(
  routes: readonly Route[],
  about: { version: string; url: string },
): readonly Route[] {
  let made: JsonObject | undefined
  const own = getJson('/openapi.json', ABOUT.openApi, () => {
    // Made when somebody asks for the first time, because most daemons are never asked.
    made ??= openApiDocument([JSON_RPC_ROUTE, ...all], about)
    return made
  })
  const all = [...routes, own]
  return all
}
