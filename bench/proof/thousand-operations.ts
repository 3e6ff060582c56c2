import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callAll, callOnce } from '../http-request.ts'
import { createProject, joinAs } from '../material.ts'
import { LAUNCHER, wholeProcess } from '../whole-process.ts'
import type { RunningDaemon, Workshop } from '../workshop.ts'

export const OPERATIONS = 1000
const OTHER = 'aid://example.com/frontend-app@1.0.0'

/** A daemon with a project of its own, and a folder beside it with a document of a thousand operations. */
export async function withDocument(workshop: Workshop) {
  const folder = workshop.folder()
  const data = join(folder, 'data')
  mkdirSync(data, { recursive: true })
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document()))
  const daemon: RunningDaemon = await workshop.daemon(data)
  const { projectId } = await callOnce<{ projectId: string }>(daemon, createProject(1))
  await callOnce(daemon, { ...joinAs(projectId, 'frontend-app'), agent: OTHER })
  const run = (...words: string[]) =>
    wholeProcess([LAUNCHER, '-C', folder, ...words, '--data', data], { input: '', env: {} })
  /** The other side agrees to all that is proposed. */
  const agree = async () => {
    const { contracts } = await callOnce<{ contracts: { contractId: string }[] }>(daemon, {
      method: 'cacp/contract/list',
      params: { projectId },
    })
    const answers = contracts.map(({ contractId }) => ({
      method: 'cacp/contract/respond',
      params: { projectId, contractId, action: 'agree' },
    }))
    await callAll(daemon, answers, OTHER)
  }
  return { daemon, run, agree }
}

/** As large as such documents are: each operation has a list of objects of its own and refers to two that all share. */
function document(): object {
  const shared = (fields: number) => ({
    type: 'object',
    required: ['f0'],
    properties: Object.fromEntries(Array.from({ length: fields }, (_, at) => [`f${at}`, { type: 'string' }])),
  })
  const operation = (at: number) => ({
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      200: {
        description: 'ok',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                [`own${at}`]: { type: 'integer' },
                user: { $ref: '#/components/schemas/User' },
                items: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
              },
            },
          },
        },
      },
    },
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Large', version: '1' },
    paths: Object.fromEntries(
      Array.from({ length: OPERATIONS }, (_, at) => [`/things${at}/{id}`, { get: operation(at) }]),
    ),
    components: { schemas: { User: shared(12), Item: shared(20) } },
  }
}
