import fc from 'fast-check'
import { type Statement, withoutContent } from '../../../src/domain/statements/statement.ts'
import type { Stamp } from '../../../src/protocol/stamp.ts'
import { at } from './at.ts'
import { Author, nonceOf } from './author.ts'

/**
 * Random histories over a tiny world: four keys that claim two repos of one project, for themselves or for an agent
 * that signs nothing, and say all kinds of things, truly or in somebody else's place, with so few moments that most of
 * them meet. Some projects were founded by one that signs nothing, as several report.
 */

const AUTHORS = ['founder', 'ann', 'bob', 'eve'].map((name) => new Author(name))
const HEIRS = ['ann, later', 'bob, later'].map((name) => new Author(name))
const REPOS = ['api', 'web']
const MOMENTS = [at(10), at(11), at(12), at(13)]
const [FOUNDER] = AUTHORS as [Author]
const FOREIGN = 'a-project-of-python'
const FOUNDINGS = {
  own: [FOUNDER.found(at(0))],
  reported: AUTHORS.slice(0, 3).map((one, index) => one.found(at(0, index % 2), { of: FOREIGN })),
}

/** One step: numbers that choose from what was said before. */
interface Step {
  readonly deed: number
  readonly who: number
  readonly at: Stamp
  readonly one: number
  readonly other: number
}

const step: fc.Arbitrary<Step> = fc.record({
  deed: fc.nat(allDeeds().length - 1),
  who: fc.nat(5),
  at: fc.constantFrom(...MOMENTS),
  one: fc.nat(1000),
  other: fc.nat(1000),
})

/** Everything that was said so far, by kind. */
class Told {
  readonly all: Statement[]
  readonly project: string
  readonly founding: Statement

  constructor([first, ...others]: readonly Statement[]) {
    if (first === undefined) throw new TypeError('a project begins with its founding')
    this.founding = first
    this.project = first.project_id
    this.all = [first, ...others]
  }

  pick(number: number, ...kinds: readonly string[]): Statement | undefined {
    const found = this.all.filter(({ kind }) => kinds.includes(kind))
    return found[number % Math.max(found.length, 1)]
  }
}

type Deed = (told: Told, step: Step, author: Author, under: Statement) => Statement | undefined

function allDeeds(): Deed[] {
  const claim: Deed = (told, { at, one, other }, author) =>
    author.claim(told.project, REPOS[one % 2] ?? '', at, other % 3 === 0 ? 'python' : undefined)
  const propose: Deed = (told, { at, one, other }, author, under) => {
    const parties = told.all.filter(({ kind }) => kind === 'claim').map(({ about }) => about)
    const some = [...new Set(parties)].filter((_, index) => other % (index + 2) !== 1)
    return some.length === 0
      ? undefined
      : author.propose(under, at, {
          parties: some,
          nonce: nonceOf(`${one % 2}`),
          ...(other % 4 === 0 && { of: `contract-${one % 2}` }),
        })
  }
  const revise: Deed = (told, { at, one, other }, author, under) => {
    const parent = told.pick(one, 'revision')
    const resolved = told.pick(other, 'revision')
    const isApart = resolved !== undefined && resolved !== parent && resolved.about === parent?.about
    return (
      parent &&
      author.revise(under, parent, { at, ...(isApart && { resolves: [resolved] }), retire: other % 7 === 0 })
    )
  }
  const answer: Deed = (told, { at, one, other }, author, under) => {
    const revision = told.pick(one, 'revision')
    const action = (['agree', 'agree', 'request_change', 'reject'] as const)[other % 4] ?? 'agree'
    return revision && author.answer(under, revision, { at, action })
  }
  const work: Deed = (told, { at, one, other }, author, under) => {
    const revision = told.pick(one, 'revision')
    return (
      revision && author.work(under, revision, { at, status: other % 3 === 0 ? 'in_progress' : 'complete' })
    )
  }
  const verify: Deed = (told, { at, one, other }, author, under) => {
    const revision = told.pick(one, 'revision')
    const works = told.all.filter(({ kind, body }) => kind === 'work' && body['revision'] === revision?.id)
    const judged = works.map((done) => ({ repo_id: revision?.about ?? '', work: done.id })).slice(0, 5)
    const result = (['success', 'failure', 'partial'] as const)[other % 3] ?? 'partial'
    return revision && author.verify(under, revision, { at, result, judged })
  }
  const confirm: Deed = (told, { at, one }, author) => {
    const claimed = told.pick(one, 'claim')
    return claimed && author.confirm(told.founding, claimed, at)
  }
  return [
    claim,
    claim,
    confirm,
    confirm,
    confirm,
    (_, { at }, author, under) => (under.kind === 'project' ? undefined : author.release(under, at)),
    (told, { at, one, other }, author, under) => {
      const holder = told.pick(one, 'claim')
      const ended = told.pick(other, 'claim')
      if (holder === undefined || ended === undefined) return undefined
      const isOther = ended !== holder && ended.about === holder.about
      return author.settle(under, at, {
        repo: holder.about,
        holder,
        ...(isOther && { ended: [[ended, at]], restored: other % 2 === 0 ? [] : [ended] }),
      })
    },
    (_, { at, one }, author, under) => {
      const heir = HEIRS[one % 2]
      return heir && author.rotate(under, heir, { at })
    },
    (_, { at, one }, author, under) => author.nameRepo(under, REPOS[one % 2] ?? '', at),
    (told, { at, one }, author, under) => {
      const naming = told.pick(one, 'repo')
      return (
        naming &&
        author.under(under, { kind: 'removal', about: naming.about, at, body: { naming: naming.id } })
      )
    },
    (told, { at, one }, author, under) =>
      author.under(under, {
        kind: 'title',
        about: told.project,
        at,
        body: { field: 'name', value: `name ${one % 3}` },
      }),
    propose,
    propose,
    revise,
    revise,
    answer,
    answer,
    answer,
    work,
    work,
    verify,
    (told, { at, one }, author, under) => {
      const first = told.pick(one, 'revision')
      return (
        first &&
        author.under(under, { kind: 'withdrawal', about: first.about, at, body: { revision: first.id } })
      )
    },
    (_, { at, one, other }, author, under) =>
      author.share(under, at, {
        nonce: nonceOf(`${one % 2}`),
        text: `${other % 2}`,
        ...(other % 3 === 0 && { of: `packet-${one % 2}` }),
      }),
    (told, { at, one, other }, author, under) => {
      const seen = told.pick(one, 'packet', 'revision')
      return seen && author.see(under, seen.about, { at, of: seen.at, parts: 1 + (other % 3) })
    },
    (_, { at, one }, author, under) => author.describe(under, at, `role ${one % 2}`),
    (told, { at, one }, author, under) => {
      const said = told.pick(one, 'packet', 'revision', 'answer')
      return said && author.redact(under, said, at)
    },
    (told, { at, one, other }, author, under) => {
      const revision = told.pick(one, 'revision')
      const uses = [null, ['a'], ['a', 'b']][other % 3] ?? null
      const register = other % 7 === 0 ? 'later' : ''
      return revision && author.expect(under, revision, { at, uses, register })
    },
    (told, { at, one, other }, author, under) => {
      const revision = told.pick(one, 'revision')
      return revision && author.stateTree(under, revision, { at, content: `files ${other % 3}` })
    },
    (told, { at, one, other }, author, under) => {
      const revision = told.pick(one, 'revision')
      return revision && author.merge(under, revision, { at, commit: `${other % 2}` })
    },
    // Of a kind that nobody knows, as a fact and as one of two registers.
    (told, { at, one, other }, author, under) => {
      const register = ['', 'wind', undefined][one % 3]
      const body = { degrees: other % 5, ...(register !== undefined && { register }) }
      return author.under(under, { kind: 'weather', about: told.project, at, body })
    },
  ]
}

const DEEDS = allDeeds()

/** What a step says, now and then under an introduction that is not the speaker's own. */
function sayNext(told: Told, next: Step, { author, isForged }: { author: Author; isForged: boolean }) {
  const own = told.all.filter(
    ({ kind, key, body }) =>
      (kind !== 'rotation' && key === author.key && (kind === 'claim' || kind === 'project')) ||
      (kind === 'rotation' && (body['public_key'] as { x: string }).x === author.publicKey.x),
  )
  const under = isForged
    ? told.pick(next.other, 'project', 'claim', 'rotation')
    : own[next.other % Math.max(own.length, 1)]
  const said =
    under === undefined
      ? author.claim(told.project, REPOS[next.one % 2] ?? '', next.at)
      : DEEDS[next.deed]?.(told, next, author, under)
  if (said !== undefined) told.all.push(said)
}

/** The founding and up to thirty statements after it, in the order in which they were made. */
export const anyHistory: fc.Arbitrary<readonly Statement[]> = fc
  .tuple(
    fc.constantFrom(FOUNDINGS.own, FOUNDINGS.own, FOUNDINGS.reported),
    fc.array(step, { minLength: 8, maxLength: 30 }),
  )
  .map(([foundings, steps]) => {
    const told = new Told(foundings)
    const authors = [...AUTHORS, ...HEIRS]
    for (const next of steps) {
      const author = next.deed > 1 && next.deed < 5 ? FOUNDER : authors[next.who % authors.length]
      sayNext(told, next, { author: author ?? FOUNDER, isForged: next.one % 11 === 0 })
    }
    return told.all
  })

/** What one author says after a story, truly or in the place of others, before or after them; its heirs help it. */
export const anyWordsOf = (author: Author, story: readonly Statement[]): fc.Arbitrary<readonly Statement[]> =>
  fc.array(step, { minLength: 1, maxLength: 20 }).map((steps) => {
    const told = new Told(story)
    for (const next of steps) {
      const moment = [next.at, at(0), at(3), at(30)][next.who % 4] ?? next.at
      const speaker = next.who === 5 ? HEIRS[next.one % 2] : author
      sayNext(told, { ...next, at: moment }, { author: speaker ?? author, isForged: next.one % 3 === 0 })
    }
    return told.all.slice(story.length)
  })

/** The same statements in another order, some of them twice, some without the content that was taken away. */
export const anyRetelling = (history: readonly Statement[]): fc.Arbitrary<readonly Statement[]> => {
  const redacted = new Set(history.filter(({ kind }) => kind === 'redaction').map(({ body }) => body['of']))
  const bare = history.filter(({ id }) => redacted.has(id)).map(withoutContent)
  return fc
    .tuple(
      fc.shuffledSubarray([...history], { minLength: history.length }),
      fc.shuffledSubarray([...history, ...bare]),
    )
    .map(([all, again]) => [...again, ...all])
}
