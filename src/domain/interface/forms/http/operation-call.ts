import { isJsonObject } from '../../../../protocol/json/json.ts'
import type { Interface, Operation } from '../../model.ts'
import { callOf } from '../read-interface.ts'
import { readCall, readPath } from './path.ts'

/** Method and path of an operation as the contract writes them: what is compared has no names of parameters. */
export function callOfOperation(
  { content }: Interface,
  { prefix }: Operation,
): { method: string; path: string } | undefined {
  const call = readCall(prefix.replace(/^webhook /, '').replace(/: $/, ''))
  return call ?? (prefix === '' && isJsonObject(content) ? callOf(content) : undefined)
}

/** The names of its parameters, by their position. */
export function pathNames(read: Interface, operation: Operation): readonly string[] {
  const call = callOfOperation(read, operation)
  return call === undefined ? [] : readPath(call.path).parameters
}
