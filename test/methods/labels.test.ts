import { describe, expect, test } from 'vitest'
import { admit } from '../../src/domain/statements/admit.ts'
import { at } from '../domain/builders.ts'
import { Author } from '../domain/statements/author.ts'
import { Story } from '../domain/story.ts'
import { openDesk, openFeature } from '../support/desk/desk.ts'

/** What each of them looks like is not what it is. */
const UNSEEN = {
  NUL: 'api\0',
  'a control character': 'ap\u0007i',
  'a break of the line': 'api\nmobile',
  'a turn of direction': 'api\u202Eipa',
  'a mark of direction': '\u200Fapi',
  'an isolate': '\u2066api\u2069',
  'a separator of paragraphs': 'api\u2029x',
}
const REASON = /must not contain NUL or other control characters, line breaks or marks of writing direction/

describe.each(Object.entries(UNSEEN))('%s in a name', (_what, bad) => {
  test('is refused with the field, wherever a name is given', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    const calls: [method: string, params: object, field: string][] = [
      ['cacp/project/create', { name: bad, objective: 'o' }, 'name'],
      ['cacp/project/create', { name: 'P', objective: 'o', repos: [{ name: bad }] }, 'repos.0.name'],
      ['cacp/project/addRepo', { projectId, name: bad }, 'name'],
      ['cacp/project/addRepo', { projectId, name: 'mobile', role: bad }, 'role'],
      ['cacp/project/addRepo', { projectId, name: 'mobile', language: bad }, 'language'],
      ['cacp/project/join', { projectId, repoName: bad }, 'repoName'],
      ['cacp/contract/propose', { projectId, type: 'custom', name: bad, content: {} }, 'name'],
    ]
    for (const [method, params, field] of calls)
      await expect(desk.send(method, params), method).rejects.toMatchObject({
        kind: 'invalid_params',
        message: expect.stringMatching(REASON),
        details: { field },
      })
  })

  test('is not taken from a peer that signs what it says either', () => {
    const author = new Author('peer')
    const founding = author.found(at(0), { name: bad })
    const nobody = { fact: () => undefined, founding: () => undefined, redactionsOf: () => [] }
    expect(admit(founding, nobody, at(1))).toMatchObject({
      outcome: 'refused',
      reason: expect.stringMatching(REASON),
      isRetryable: false,
    })
    const story = new Story()
    const claim = story.claims.backend
    if (claim === undefined) throw new TypeError('the backend has joined')
    const named = story.authors.backend.nameRepo(story.founding, bad, at(20))
    const proposed = { parties: [story.repoId('backend')], name: bad }
    const contract = story.authors.backend.propose(claim, at(20), proposed)
    for (const statement of [named, contract]) expect(() => story.say(statement)).toThrow(REASON)
  })

  test('is not taken from one that signs nothing, which is told why', async () => {
    await using desk = await openDesk()
    const peer = { caller: { kind: 'peer' as const, agentId: 'aid://example.com/peer@1.0.0', repoName: 'p' } }
    const { projectId, backend } = await openFeature(desk)
    const project = await backend('cacp/project/get', { projectId })
    const answer = await desk.send(
      'cacp/project/sync',
      { project: { ...project, project_id: 'p9', name: bad } },
      peer,
    )
    expect(answer).toMatchObject({
      status: 'error',
      kind: 'invalid_params',
      retryable: false,
      reason: expect.stringMatching(REASON),
    })
  })
})

test('names in all scripts, with joined signs and ordinary spaces, are taken', async () => {
  await using desk = await openDesk()
  for (const name of ['Zahlungen (neu)', '支払い', 'پرداخت‌ها', 'תשלומים', '👩‍💻 desk', 'a/b#c «d»'])
    await expect(desk.send('cacp/project/create', { name, objective: 'o' })).resolves.toMatchObject({
      status: 'created',
    })
  expect(desk.store.view.projects.size).toBe(6)
})
