import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { at } from '../domain/statements/at.ts'
import { Author } from '../domain/statements/author.ts'
import { anyWordsOf } from '../domain/statements/histories.ts'
import { Replica } from '../domain/statements/replica.ts'

/**
 * A project of two honest repos, and of a member that was invited and lies. Whatever that one signs, with whatever
 * stamps and in whoever's place, nothing changes of what the others said and hold.
 */

const [founder, ann, eve] = [new Author('founder'), new Author('ann'), new Author('eve')] as const
const founding = founder.found(at(0))
const claims = {
  api: founder.claim(founding.project_id, 'api', at(1)),
  web: ann.claim(founding.project_id, 'web', at(2)),
  eve: eve.claim(founding.project_id, 'eve', at(2)),
}
const parties = [claims.api.about, claims.web.about]
const agreed = founder.propose(claims.api, at(5), { parties })
const open = ann.propose(claims.web, at(5), { parties: [...parties, claims.eve.about] })
const work = ann.work(claims.web, agreed, { at: at(7), status: 'complete' })
const packet = ann.share(claims.web, at(6))
const STORY = [
  founding,
  ...Object.values(claims),
  ...Object.values(claims).map((claim) => founder.confirm(founding, claim, at(3))),
  founder.describe(claims.api, at(4), 'api'),
  ann.describe(claims.web, at(4), 'web'),
  agreed,
  open,
  ann.answer(claims.web, agreed, { at: at(6), action: 'agree' }),
  founder.answer(claims.api, open, { at: at(6), action: 'request_change' }),
  work,
  ann.expect(claims.web, agreed, { at: at(7), uses: ['path'] }),
  founder.work(claims.api, agreed, { at: at(7), status: 'complete' }),
  founder.verify(claims.api, agreed, { at: at(8), result: 'success', judged: [] }),
  packet,
  founder.redact(claims.api, agreed, at(9)),
  ann.see(claims.web, agreed.about, { at: at(9), of: at(8), parts: 5 }),
]

const HONEST = new Set(parties)
const ofHonest = <One extends { readonly repo_id: string }>(all: readonly One[]): One[] =>
  all.filter(({ repo_id }) => HONEST.has(repo_id))

/** What must be the same with and without the words of somebody else. */
function honestPart({ statements }: Replica): unknown {
  const settled = statements.contract(agreed.about)
  const negotiated = statements.contract(open.about)
  if (settled === undefined || negotiated === undefined) return undefined
  // What the hostile one uses and has of a contract is its own to say, and stands under its name.
  const contract = {
    ...settled,
    expectations: ofHonest(settled.expectations),
    trees: ofHonest(settled.trees),
    merged: ofHonest(settled.merged),
  }
  const { without_effect, ...history } = settled.history
  const { name, type, created_at, created_by } = negotiated
  return {
    repos: parties.map((id) => {
      const { claims: all, namings, updated_at, ...repo } = statements.repo(id) ?? {}
      return repo
    }),
    contract,
    history,
    negotiated: { name, type, created_at, created_by },
    // Whether the hostile one is waited for is its own to say.
    revisions: ofHonest(negotiated.history.revisions).map(
      ({ parties, needed, is_agreed, ...revision }) => revision,
    ),
    answers: ofHonest(negotiated.history.answers),
    packet: statements.packet(packet.about),
    sightings: ofHonest(statements.sightingsOf(agreed.about)),
  }
}

describe('whatever a hostile member signs', () => {
  const before = honestPart(new Replica().hearAll(STORY))

  test('nothing of the other repos changes, in whatever order it comes', () => {
    fc.assert(
      fc.property(anyWordsOf(eve, STORY), fc.boolean(), (lies, isFirst) => {
        const replica = new Replica().hearAll(isFirst ? [...lies, ...STORY, ...lies] : [...STORY, ...lies])
        expect(honestPart(replica)).toEqual(before)
      }),
      { numRuns: 5000 },
    )
  }, 120_000)
})
