import { AGENT_METHODS } from './agent-methods.ts'
import { toolFor } from './tools/tool-call.ts'

/** A method name in our own texts, with a preceding "call"; not a method name inside JSON. */
const METHOD_NAME = /(\b[Cc]all )?(?<!")\b(cacp(?:\/[A-Za-z]+)+)/g
/** Text by others is in quotes that it cannot close. */
const QUOTED = /(«[^»]*»)/

/** The text for a reader that has tools instead of methods: each method name is replaced by the tool to call. */
export const inToolWords = (text: string): string =>
  text
    .split(QUOTED)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(METHOD_NAME, replaceMethod)))
    .join('')

function replaceMethod(whole: string, call = '', method: string): string {
  const tool = toolFor(method)
  if (tool !== undefined) return `${call}${tool}`
  // Methods without a tool of their own; those for people or daemons keep their name.
  return AGENT_METHODS.has(method) ? `${call === 'Call ' ? 'Call' : 'call'} ${method}` : whole
}
