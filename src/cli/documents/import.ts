import type { BatchCall, Client } from '../../client.ts'
import type { Step } from '../../domain/documents/compare.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, DOCUMENT_WORD, PROJECT, SELECT } from '../form/options.ts'
import { printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { exitWith } from '../program/report.ts'
import { readContracts } from './read-contracts.ts'

interface Imported {
  readonly proposed: readonly string[]
  readonly updated: readonly string[]
  readonly unchanged: number
  readonly refused: readonly { readonly name: string; readonly why: string }[]
  readonly dryRun?: true
}

export const importDocument = command({
  about:
    'Propose one contract for each operation, message or model of a document. What is there already is proposed anew only where it means something else.',
  words: DOCUMENT_WORD,
  options: {
    ...SELECT,
    '--dry-run': 'only say what would be proposed',
    '--parties <name...>':
      'names of the repositories that have to agree to what is new (default: as propose takes them)',
    ...PROJECT,
    ...AGENT_ID,
  },
  examples: [
    'cacpd contract import openapi.yaml --dry-run',
    "cacpd contract import openapi.yaml --select 'GET /users/*'",
  ],
  ask: async ({ file, select, dryRun, project, parties }, terminal) => {
    const { splitFile } = await import('./split-file.ts')
    const { importSteps } = await import('../../domain/documents/compare.ts')
    const split = await splitFile(file, select, terminal)
    return async (client): Promise<Imported> => {
      const { projectId, contracts } = await readContracts(client, project)
      const steps = importSteps(split.items, contracts)
      const wanted = steps.filter(({ act }) => act !== 'unchanged')
      const failed =
        dryRun === true
          ? new Map<Step, string>()
          : await carryOut(client, wanted, (step) => callOf(step, projectId, parties), terminal)
      const names = (act: Step['act']) =>
        wanted.filter((step) => step.act === act && !failed.has(step)).map(({ item }) => item.name)
      return {
        proposed: names('propose'),
        updated: names('update'),
        unchanged: steps.length - wanted.length,
        refused: [...split.refused, ...Array.from(failed, ([{ item }, why]) => ({ name: item.name, why }))],
        ...(dryRun === true ? { dryRun } : {}),
      }
    }
  },
  show: describe,
  failure: ({ refused }) => exitWith(refused.length > 0 ? 1 : 0),
})

/** Calls that fit into one request; says how far it is. What failed comes back with why. */
async function carryOut(
  client: Client,
  steps: readonly Step[],
  callFor: (step: Step) => BatchCall,
  { complain }: Terminal,
): Promise<Map<Step, string>> {
  const failed = new Map<Step, string>()
  let done = 0
  for (const batch of batchesOf(steps)) {
    const answers = await client.batch(batch.map(callFor))
    for (const [index, answer] of answers.entries()) {
      const step = batch[index]
      if (step !== undefined && answer.status === 'rejected')
        failed.set(step, (answer.reason as Error).message)
    }
    done += batch.length
    if (steps.length > batch.length) complain(`${done} of ${steps.length}\n`)
  }
  return failed
}

/** Below the limit of a body, with room for the names around each content. */
const MOST_LENGTH = LIMITS.bodyBytes * 0.8

function* batchesOf(steps: readonly Step[]): Iterable<readonly Step[]> {
  let batch: Step[] = []
  let length = 0
  for (const step of steps) {
    const own = Buffer.byteLength(JSON.stringify(step.item.content)) + 1000
    if (batch.length === LIMITS.batchItems || (batch.length > 0 && length + own > MOST_LENGTH)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(step)
    length += own
  }
  if (batch.length > 0) yield batch
}

function callOf({ item, contract }: Step, projectId: string, parties?: readonly string[]): BatchCall {
  const { name, type, content } = item
  if (contract === undefined)
    return {
      method: 'cacp/contract/propose',
      params: { projectId, type, name, content, ...(parties === undefined ? {} : { parties: [...parties] }) },
    }
  const { contractId, version } = contract
  const changeNote = `as ${String(content['x-source'])} says it`
  return { method: 'cacp/contract/update', params: { projectId, contractId, content, version, changeNote } }
}

function describe({ proposed, updated, unchanged, refused, dryRun }: Imported): string {
  const would = dryRun === true ? 'would be ' : ''
  return [
    ...proposed.map((name) => printableLine(`+ ${name}`)),
    ...updated.map((name) => printableLine(`~ ${name}`)),
    ...refused.map(({ name, why }) => printableLine(`! ${name}: ${why}`)),
    `${proposed.length} ${would}proposed, ${updated.length} ${would}changed, ${unchanged} as they are${refused.length === 0 ? '' : `, ${refused.length} refused`}`,
  ].join('\n')
}
