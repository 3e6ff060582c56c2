import { describe, expectTypeOf, test } from 'vitest'
import type { Client } from '../src/client.ts'

describe('the client is typed from the method table', () => {
  test('what the table does not have does not compile', () => {
    // Never called: tsc checks these lines, and fails where an expected error is missing.
    const misuse = async (client: Client) => {
      // @ts-expect-error no such method
      await client.call('cacp/project/delete', {})
      // @ts-expect-error a required param is missing
      await client.call('cacp/project/create', { name: 'Auth' })
      // @ts-expect-error a param of the wrong type
      await client.call('cacp/project/get', { projectId: 7 })
      // @ts-expect-error a param that the method does not have
      await client.call('cacp/project/get', { projectId: 'p', project: 'p' })
      // @ts-expect-error a word outside of the vocabulary
      await client.call('cacp/contract/respond', { projectId: 'p', contractId: 'c', action: 'maybe' })
      // @ts-expect-error params of another method
      await client.batch([{ method: 'cacp/project/get', params: { name: 'Auth' } }])
    }
    expectTypeOf(misuse).toBeFunction()
  })

  test('results have the fields of the method that was called', () => {
    type Created = Awaited<ReturnType<typeof create>>
    const create = (client: Client) => client.call('cacp/project/create', { name: 'A', objective: '' })
    expectTypeOf<Created['projectId']>().toEqualTypeOf<string>()
    expectTypeOf<Created['status']>().toEqualTypeOf<'created'>()
  })

  test('a batch has the type of each of its calls', () => {
    const both = (client: Client) =>
      client.batch([
        { method: 'cacp/project/create', params: { name: 'A', objective: '' } },
        { method: 'cacp/project/list', params: {} },
      ])
    type Both = Awaited<ReturnType<typeof both>>
    expectTypeOf<Both['length']>().toEqualTypeOf<2>()
    expectTypeOf<Extract<Both[0], { status: 'fulfilled' }>['value']['repoCount']>().toEqualTypeOf<number>()
  })
})
