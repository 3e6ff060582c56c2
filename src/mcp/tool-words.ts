import { METHODS } from '../methods/table.ts'
import { toolFor } from './tools/tool-call.ts'

/** A method as our own texts name it, perhaps after the word that says to call it; not as JSON for the tool call has it. */
const CALLED = /(\b[Cc]all )?(?<!")\b(cacp(?:\/[A-Za-z]+)+)/g
/** What others wrote stands in quotes that it cannot close. */
const QUOTED = /(«[^»]*»)/

const ACCESS = new Map(METHODS.map(({ name, access }) => [name as string, access]))

/** The same text for who has tools and no methods: each method that it names is told as what the reader calls instead. */
export const inToolWords = (text: string): string =>
  text
    .split(QUOTED)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(CALLED, toldAs)))
    .join('')

function toldAs(whole: string, call = '', method: string): string {
  const tool = toolFor(method)
  if (tool !== undefined) return `${call}${tool}`
  // Those without a tool of their own; what is for people or daemons stays as it is called.
  return isForAgents(method) ? `${call === 'Call ' ? 'Call' : 'call'} ${method}` : whole
}

/** What is for people or daemons has no tool. */
export function isForAgents(method: string): boolean {
  const access = ACCESS.get(method)
  return access !== undefined && access !== 'operator' && access !== 'sync'
}
