import { expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/env.ts'
import type { IssuedToken } from '../../../src/domain/trust/trust.ts'
import { whileLetIn } from '../../../src/http/guard/while-let-in.ts'
import { at, EMPTY_VIEW, orderedTableOf } from '../../domain/builders.ts'

test('whoever is shut out in the midst of a file gets no more of it', async () => {
  const token: IssuedToken = {
    token_id: 't1',
    project_id: 'p1',
    subject: 'aid://example.com/other@1.0.0',
    permissions: ['project:read'],
    issued_at: at(1),
    expires_at: at(100),
    revoked_at: null,
  }
  const view = {
    ...EMPTY_VIEW,
    tokens: orderedTableOf([token], { id: ({ token_id }) => token_id, created: () => '' }),
  }
  const caller: Caller = { kind: 'token', agentId: token.subject, repoName: null, credential: 't1' }
  async function* file() {
    for (let part = 1; part <= 3; part++) yield Uint8Array.of(part)
  }
  const got: number[] = []
  const reading = async () => {
    for await (const [part = 0] of whileLetIn(file(), caller, view)) {
      got.push(part)
      if (part === 2) view.tokens = EMPTY_VIEW.tokens
    }
  }
  await expect(reading()).rejects.toMatchObject({ kind: 'unauthorized' })
  expect(got).toEqual([1, 2])
})
