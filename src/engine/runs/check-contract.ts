import * as z from 'zod'
import type { Caller } from '../../domain/env.ts'
import { mainParts, type Part, partAt } from '../../domain/interface/payload/parts.ts'
import { readInterface } from '../../domain/interface/review.ts'
import { maySee } from '../../domain/lookup.ts'
import type { View } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'
import type { Json, JsonObject } from '../../protocol/json/json.ts'
import { Name } from '../../protocol/words.ts'
import type { Store } from '../ports/ports.ts'
import { RunError, type Runner, type SchemaCheck } from '../ports/run-ports.ts'
import { badParameter, readParameters } from './parameters.ts'

const Parameters = z.object({
  /** Its ID or its name; contract_id is taken too. */
  contractId: Name,
  /** A place such as `response.200.body`, or a path into the content; not needed where there is only one. */
  part: z.string().max(200).optional(),
  payload: z.custom<Json>((value) => value !== undefined, 'is required'),
})

/** Places that are named in one answer. */
const MOST_NAMED = 10

/** Says whether a sample payload is what a contract promises, by what is understood of the contract. */
export function createCheckContract({ store, check }: { store: Store; check: SchemaCheck }): Runner {
  return {
    name: 'check_contract',
    limit: 4,
    async run(request, { asker, emit, signal }) {
      const { contract_id: other, ...given } = request.parameters
      const parameters = { contractId: other, ...given }
      const { contractId: word, part, payload } = readParameters(Parameters, { ...request, parameters })
      const contract = await store.commit((view) => ({ result: contractMeant(view, word, asker) }))
      if (contract === undefined)
        throw new RunError({
          kind: 'not_found',
          message: `No contract ${word} here`,
          data: { contractId: word },
        })
      const { contract_id: contractId, type, name } = contract
      const { version, content } = contract.head
      if (content === null) throw badParameter('contractId', `names a contract whose content was taken away`)
      const { at, schema, unread } = partMeant(type, content, part)
      const { valid, errors } = await check(schema, payload, signal)
      const verdict = `The payload ${valid ? 'fits' : 'does not fit'} ${at} in version ${version} of contract ${name}.`
      const unchecked = unread
        .slice(0, MOST_NAMED)
        .map((place) => `- ${place} was not checked: its type is not understood`)
      const lines = [verdict, ...errors.map((error) => `- ${error}`), ...unchecked]
      await emit({ type: 'text', delta: lines.join('\n') })
      await emit({
        type: 'citation',
        uri: `cacp:contract/${contractId}`,
        title: name,
        text: JSON.stringify(schema).slice(0, 300).toWellFormed(),
      })
      return {
        output: {
          valid,
          errors,
          ...(unread.length === 0 ? {} : { unchecked: unread.slice(0, MOST_NAMED) }),
          contract_id: contractId,
          version,
          part: at,
        },
      }
    },
  }
}

/** By its ID, else by its name, if only one that the asker may see is called so. */
function contractMeant(view: View, word: string, asker: Caller): ContractEntity | undefined {
  const seen = [...view.projects.oldestFirst()].filter((found) => maySee(found, asker))
  for (const { contracts } of seen) {
    const contract = contracts.get(word)
    if (contract !== undefined) return contract
  }
  const called = seen.flatMap((found) => [...found.contractsCalled(word)])
  const standing = called.filter(({ is_withdrawn }) => !is_withdrawn)
  const [only, another] = standing.length > 0 ? standing : called
  if (another === undefined) return only
  throw badParameter('contractId', 'is the name of several contracts: give the ID of one')
}

function partMeant(type: string, content: JsonObject, wanted: string | undefined): Part {
  const read = readInterface(type, content)
  const main = mainParts(read)
  const [only, ...more] = main
  const named = wanted ?? (more.length === 0 ? only : undefined)
  const found = named === undefined ? undefined : partAt(read, named)
  if (found !== undefined) return found
  const known = main.slice(0, MOST_NAMED).map((at) => `"${at}"`)
  const choice =
    known.length === 0
      ? 'nothing in the contract says what is sent; name the path of a schema in its content'
      : `one of ${known.join(', ')}`
  throw badParameter(
    'part',
    wanted === undefined ? `is required: ${choice}` : `names no such place: ${choice}`,
  )
}
