import { isJsonObject } from '../../protocol/json/json.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, IDEMPOTENCY_KEY } from '../form/options.ts'
import { UsageError } from '../program/report.ts'
import { callAndPrint } from './call-method.ts'
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
