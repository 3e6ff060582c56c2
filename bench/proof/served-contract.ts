import { readInterface } from '../../src/domain/interface/review.ts'
import type { Served } from '../../src/domain/mock/routes.ts'

/** What the load generator sends and wants to be answered, as a contract: both sides are compared with it. */
export const SERVED: Served = {
  contractId: 'one',
  name: 'Get project',
  version: 1,
  interface: readInterface('api_endpoint', {
    method: 'POST',
    path: '/',
    request: { jsonrpc: "'2.0'", id: 'integer', method: 'string', params: { projectId: 'uuid' } },
    responses: {
      200: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['jsonrpc', 'id'],
              properties: {
                jsonrpc: { const: '2.0' },
                id: { type: 'integer' },
                result: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
              },
            },
            example: { jsonrpc: '2.0', id: 1, result: { name: 'Login', objective: 'the same in both' } },
          },
        },
      },
    },
  }),
}
