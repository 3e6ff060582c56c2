import type { Client } from '../../client.ts'
import type { MethodName } from '../../methods/table.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { type Answering, type Around, askAndShow, rendered } from '../form/answer.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, IDEMPOTENCY_KEY } from '../form/options.ts'
import type { CallFlags } from '../form/with-daemon.ts'
import { COLUMNS } from '../output/columns.ts'
import type { Look } from '../output/table.ts'
import { UsageError } from '../program/report.ts'
import { uploadFiles } from './local-file.ts'
import type { MethodForm, Params } from './method-form.ts'
import { JSON_FORMS, readJson } from './read-json.ts'

/** Calls also methods that this version has no command for. */
export const call = command({
  about: 'call any method',
  words: { '<method>': 'for example cacp/project/list', '[params]': JSON_FORMS },
  options: { ...IDEMPOTENCY_KEY, ...AGENT_ID },
  examples: ["cacpd call cacp/project/list '{}' --json", 'cacpd call cacp/contract/propose @contract.json'],
  run: async (flags, terminal) => {
    const { method, params: json } = flags
    const params = json === undefined ? {} : await readJson(json, 'params', terminal)
    if (!isJsonObject(params)) throw new UsageError('params: must be a JSON object of named values')
    await callAndPrint(method, params, { given: flags, terminal })
  },
})

/** Calls a method of the daemon and prints its result, as its form says or in lines and tables. */
export async function callAndPrint(
  method: string,
  params: Params,
  { given, terminal }: Around<CallFlags>,
  form: MethodForm = {},
): Promise<void> {
  let sent = params
  const ask = async (client: Client) => {
    const { withWholeIds } = await import('./whole-ids.ts')
    sent = await withWholeIds(client, method, params)
    // What a person typed was checked by the method's schema, or will be by the daemon.
    const checked = (await uploadFiles(sent, client)) as never
    return form.ask === undefined
      ? client.call(method as MethodName, checked, { idempotencyKey: given.idempotencyKey })
      : form.ask(client, checked, { given, terminal })
  }
  const answering: Answering<CallFlags, unknown, unknown> = {
    learn: async (result, client) => {
      const { repoNamesFor } = await import('../output/repo-names.ts')
      return repoNamesFor(client, method, sent, result)
    },
    show: (result, screen, { known }) =>
      rendered(result, { ...screen, repos: known as Look['repos'] }, COLUMNS[method]),
    ...form,
  }
  await askAndShow(ask, answering, { given, terminal })
}
