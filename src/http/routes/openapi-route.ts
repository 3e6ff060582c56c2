import { openApiDocument } from '../../describe/openapi.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { sendJson } from '../reply/send.ts'
import { ABOUT, JSON_RPC_ROUTE } from './about.ts'
import type { Route } from './routes.ts'

/** These routes, and the one that describes them all. */
export function withOpenApi(
  routes: readonly Route[],
  about: { version: string; url: string },
): readonly Route[] {
  let made: JsonObject | undefined
  const own: Route = {
    verb: 'get',
    path: '/openapi.json',
    access: 'public',
    about: ABOUT.openApi,
    serve: async (_request, response) => {
      // Made when somebody asks for the first time, because most daemons are never asked.
      made ??= openApiDocument([JSON_RPC_ROUTE, ...all], about)
      sendJson(response, 200, made)
    },
  }
  const all = [...routes, own]
  return all
}
