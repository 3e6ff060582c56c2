import * as z from 'zod'
import { EVIDENCE_TO_GIVE } from '../../domain/proof/evidence.ts'
import { Detailed } from '../../methods/shapes.ts'
import { Fault } from '../../protocol/fault.ts'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import { VerificationResult } from '../../protocol/words.ts'
import { lines, listIn, said, textIn } from '../text.ts'
import { ADDS, tool } from '../tool.ts'
import { contractId, EXAMPLE_TARGET, projectId } from './ids.ts'

/** The arguments that each action takes besides the contract. */
const TAKES = {
  start: ['plan'],
  complete: ['files', 'notes', 'testEndpoint'],
  verify: ['result', 'notes', 'failureDetails', 'blames', 'evidence'],
  status: [],
  gate: [],
} as const

export const implementation = tool({
  name: 'implementation',
  title: 'Report or check an implementation',
  description:
    'Tell how far you are with an agreed contract: start (plan), complete (files, notes), verify (result, evidence) once every party is complete; status shows who is how far, gate whether you may merge.',
  hints: ADDS,
  input: z.strictObject({
    projectId,
    contractId,
    action: z.enum(['start', 'complete', 'verify', 'status', 'gate']),
    plan: z.string().optional(),
    files: z.array(z.string()).optional().describe('paths you changed'),
    notes: z.string().optional(),
    testEndpoint: z.string().optional().describe('URL where the others can try it'),
    result: VerificationResult.optional(),
    failureDetails: Detailed.optional(),
    blames: z.array(z.string()).optional().describe('repos whose part fails; default all'),
    evidence: z.array(FreeObject).optional().describe('such as {kind: run, command, exitCode}'),
  }),
  example: { ...EXAMPLE_TARGET, action: 'complete', files: ['src/users.ts'], notes: 'with tests' },
  run: async ({ projectId, contractId, action, ...more }, { call }) => {
    const taken: readonly string[] = TAKES[action]
    const stray = Object.entries(more).find(([key, value]) => value !== undefined && !taken.includes(key))
    if (stray !== undefined)
      throw new Fault('invalid_params', `${stray[0]}: not taken by ${action}`, {
        next: `${action} takes ${['projectId', 'contractId', ...taken].join(', ')}`,
      })
    const target = { projectId, contractId }
    if (action === 'gate') return gateText(await call('cacp/gate/check', target))
    if (action === 'status') {
      const answer = await call('cacp/implementation/getStatus', target)
      const waitingFor = answer['waitingFor']
      return lines(
        `contract ${contractId} is ${answer['contractStatus']}`,
        listIn(answer, 'implementations').map(
          (one) => `- repo ${textIn(one, 'repoId')} (${said(one['agentId'])}): ${textIn(one, 'status')}`,
        ),
        Array.isArray(waitingFor) && waitingFor.length > 0 && `not complete: repo ${waitingFor.join(', ')}`,
      )
    }
    const params = { ...target, ...(action === 'complete' ? { files: [] } : {}), ...more }
    const answer = await call(`cacp/implementation/${action}`, params)
    const { status, contractStatus } = answer
    return lines(
      `${status}: contract ${contractId} is ${contractStatus}`,
      listIn(answer, 'ignored').map(
        (one) => `not looked at: ${said(one['file'])} of repo ${said(one['repo'])}: ${textIn(one, 'why')}`,
      ),
      action === 'start' &&
        `next: implementation ${JSON.stringify({ ...target, action: 'complete', files: [] })} once it is built, with the files you changed`,
      contractStatus === 'implemented' &&
        `next: implementation ${JSON.stringify({ ...target, action: 'verify', result: 'success', evidence: EVIDENCE_TO_GIVE })} once you have tried it`,
      action === 'complete' &&
        contractStatus === 'agreed' &&
        `next: wait {"until":{"contract":${JSON.stringify({ ...target, statusAtLeast: 'implemented' })}}}`,
    )
  },
})

/** The answer for this repo, with why and whom to ask. */
function gateText(answer: JsonObject): string {
  return lines(
    `may merge: ${answer['answer']}`,
    listIn(answer, 'rows').flatMap((row) => {
      const { ask, notes } = row
      const whom = Array.isArray(ask) && ask.length > 0 ? ` (ask ${ask.join(', ')})` : ''
      const noted = Array.isArray(notes) ? notes.map((note) => `  note: ${note}`) : []
      return [`- ${textIn(row, 'answer')}: ${textIn(row, 'say')}${whom}`, ...noted]
    }),
  )
}
