import { Until } from '../../domain/inbox/wait-goal.ts'
import { paramOptions, readParams } from '../derive/param-options.ts'
import { type CommandForm, command, optionsFrom } from '../form/command.ts'
import { AGENT_ID, commonOptions } from '../form/options.ts'
import { UsageError } from '../program/report.ts'
import { TIMEOUT, type WaitFlags, waitUntil } from './wait-until.ts'

const WAITING = { ...TIMEOUT, ...AGENT_ID }

const EXAMPLES = {
  contract: "cacpd wait contract --contract 'Get User Profile' --status agreed",
  question: "cacpd wait question --packet 'JWT or cookies?'",
  project: "cacpd wait project --project 'User Auth Feature' --status integrating",
  inbox: 'cacpd wait inbox --timeout 0',
  feed: 'cacpd wait feed --timeout 300',
}
const ANY = `cacpd wait any '{"inbox":{}}' '{"project":{"projectId":"User Auth Feature","status":"complete"}}'`

/** For what can be waited for: the fields of the goal are the options of its command. */
function goalCommand(kind: keyof typeof EXAMPLES): CommandForm {
  const schema = Until.shape[kind]
  const fields = paramOptions({ params: schema.unwrap() })
  // Without a cursor, the feed is waited for from now on.
  for (const { key, option } of fields) if (key === 'since') option.makeOptionMandatory(false)
  return {
    about: schema.description ?? '',
    words: [],
    options: [...fields.map(({ option }) => option), ...optionsFrom(WAITING), ...commonOptions()],
    help: () => ({ examples: [EXAMPLES[kind]] }),
    commands: {},
    run: async ({ options }, terminal) =>
      waitUntil({ [kind]: await readParams(fields, options, terminal) }, options as WaitFlags, terminal),
  }
}

const any = command({
  about: 'the first of several is true, each as JSON like `until` of cacp/wait',
  words: { '<condition...>': 'such as \'{"inbox":{}}\'' },
  options: WAITING,
  examples: [ANY],
  run: (given, terminal) => waitUntil({ any: given.condition.map(conditionFrom) }, given, terminal),
})

function conditionFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${text}: is no JSON`, `For example ${ANY}`)
  }
}

export const wait = command({
  about: 'wait until something is true: exits with 0 if so, and with 3 when the time is over',
  examples: [EXAMPLES.inbox, `${EXAMPLES.contract} && npm test`],
  commands: {
    contract: goalCommand('contract'),
    question: goalCommand('question'),
    project: goalCommand('project'),
    inbox: goalCommand('inbox'),
    feed: goalCommand('feed'),
    any,
  },
})
