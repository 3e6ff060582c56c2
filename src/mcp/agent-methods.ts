import type { AnyMethod } from '../methods/row.ts'
import { METHODS } from '../methods/table.ts'
import { Fault } from '../protocol/fault.ts'
import type { JsonObject } from '../protocol/json/json.ts'
import type { CallMethod } from './tool.ts'
import { EXAMPLE_TARGET } from './tools/ids.ts'

/** All methods that an agent may call, whatever its key allows. */
export const AGENT_METHODS: ReadonlyMap<string, AnyMethod> = new Map(
  METHODS.filter(({ access }) => access !== 'operator' && access !== 'sync').map((row) => [row.name, row]),
)

/**
 * The calls without those that are for people or for daemons. Agents read what others wrote: no sentence in it may
 * get a peer approved, a key handed out or foreign state accepted.
 */
export function forAgents(call: CallMethod): CallMethod {
  return async (method, params, options) => {
    if (!AGENT_METHODS.has(method)) throw refusalOf(method)
    if (method === 'cacp/contract/respond') assertExplained(params)
    return call(method, params, options)
  }
}

/**
 * An author that has to revise a contract must know why. The method itself accepts answers without a comment, because
 * programs of the reference implementation send none; an agent can be asked for one.
 */
function assertExplained({ action, comment }: JsonObject): void {
  if (action !== 'request_change' || (typeof comment === 'string' && comment.trim() !== '')) return
  throw new Fault(
    'invalid_params',
    'comment required with request_change: the others must know what to change',
    {
      next: `contract_respond ${JSON.stringify({ ...EXAMPLE_TARGET, action, comment: 'email must be nullable: guests have none', suggestedChange: { email: 'string or null' } })}`,
    },
  )
}

function refusalOf(method: string): Fault {
  const known = METHODS.find(({ name }) => name === method)
  if (known?.access === 'operator')
    return new Fault('forbidden', `${method} is for a person, not for an agent`, {
      next: `Ask the person you work for to decide, and to run \`${commandFor(method)}\` in a terminal of this repository`,
    })
  if (known !== undefined)
    return new Fault('forbidden', `${method} is what daemons say to each other`, {
      next: 'Nothing has to be done: daemons exchange their state by themselves',
    })
  return new Fault('method_not_found', `There is no method ${method.slice(0, 100)}`, {
    next: `The methods: ${namesLike(method).join(', ')}`,
  })
}

const commandFor = (method: string): string =>
  `cacpd ${method
    .split('/')
    .slice(1)
    .map((word) => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
    .join(' ')}`

/** Methods of the same group; if there is no such group, all. */
function namesLike(method: string): string[] {
  const group = method.split('/').slice(0, -1).join('/')
  const names = [...AGENT_METHODS.keys()]
  const near = names.filter((name) => name.startsWith(`${group}/`))
  return group === '' || near.length === 0 ? names : near
}
