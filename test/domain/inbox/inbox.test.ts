import { describe, expect, test } from 'vitest'
import { questionAbove, talkAbout } from '../../../src/domain/context/question.ts'
import { openQuestions } from '../../../src/domain/contract/next-step.ts'
import { turnsOfContract } from '../../../src/domain/contract/turns.ts'
import { isAmong, type Turns, turnsOfQuestion } from '../../../src/domain/inbox/inbox.ts'
import type { PacketEntity } from '../../../src/domain/views/entities.ts'
import type { Stamp } from '../../../src/protocol/stamp.ts'
import { at, BACKEND, FRONTEND, packet, repo, viewOf } from '../builders.ts'
import {
  agreed,
  implemented,
  type Name,
  negotiating,
  proposed,
  Story,
  type Told,
  verified,
} from '../story.ts'

const MOBILE = 'repo-mobile'
const REPOS = [BACKEND, FRONTEND, MOBILE].map((repo_id) => repo({ repo_id, name: repo_id }))

/** What a repo has to do or waits for, in one line, with the second since when. */
function turnOf(
  repoId: string,
  { duties, waits }: Turns,
  nameOf: (repoId: string) => string = (id) => id,
): string {
  const due = duties
    .filter(({ to }) => isAmong(repoId, to))
    .map(({ kind, since }) => `${kind} since ${seconds(since)}`)
  const waiting = waits
    .filter((wait) => wait.repoId === repoId)
    .map(({ on, to, since }) => {
      const whom = on.map(nameOf).sort().join(' and ') || 'any'
      return `waits for ${whom} to ${to} since ${seconds(since)}`
    })
  return [...due, ...waiting].join('; ') || 'nothing'
}

const seconds = (stamp: Stamp): number => (Date.parse(stamp) - Date.parse(at(0))) / 1000

/** The turns of those who are named in the story of a contract. */
function turnsIn({ story, contract }: Pick<Told, 'story' | 'contract'>, ...names: Name[]): string[] {
  const nameOf = (repoId: string) => story.found.repos.get(repoId)?.name ?? repoId
  const turns = turnsOfContract(contract)
  return names.map((name) => turnOf(story.repoId(name), turns, nameOf))
}

/** The story of a contract goes on. */
function then(told: Told, goOn: (told: Told) => unknown): Pick<Told, 'story' | 'contract'> {
  goOn(told)
  return told
}

/** Both repos changed version 1 without knowing of each other; the frontend's change is the later one. */
const conflicted = () =>
  then(proposed(), ({ story, revision }) => {
    story.revises('backend', revision, at(15), { by: 'backend' })
    story.revises('frontend', revision, at(16), { by: 'frontend' })
  })

describe('whose turn it is with a contract', () => {
  test.each<[state: string, told: Pick<Told, 'story' | 'contract'>, backend: string, frontend: string]>([
    ['proposed', proposed(), 'waits for frontend to answer it since 10', 'answer_contract since 10'],
    [
      'changes requested',
      negotiating(),
      'revise_contract since 11',
      'answer_contract since 10; waits for backend to propose a new version since 11',
    ],
    [
      'rejected',
      then(proposed(), ({ story, revision }) => story.answers('frontend', revision, 'reject', at(11))),
      'revise_contract since 11',
      'answer_contract since 10; waits for backend to propose a new version since 11',
    ],
    [
      'a new version after that',
      then(negotiating(), ({ story, revision }) => story.revises('backend', revision, at(12))),
      'waits for frontend to answer it since 12',
      'answer_contract since 12',
    ],
    ['agreed', agreed(), 'start_implementation since 11', 'start_implementation since 11'],
    [
      'one has started',
      then(agreed(), ({ story, revision }) => story.works('backend', revision, 'in_progress', at(12))),
      'complete_implementation since 12',
      'start_implementation since 11',
    ],
    [
      'one is complete, the other has not started',
      then(agreed(), ({ story, revision }) => story.works('backend', revision, 'complete', at(12))),
      'waits for frontend to implement it since 12',
      'start_implementation since 11',
    ],
    [
      'one is complete, the other at work',
      then(agreed(), ({ story, revision }) => {
        story.works('backend', revision, 'complete', at(12))
        story.works('frontend', revision, 'in_progress', at(13))
      }),
      'waits for frontend to implement it since 12',
      'waits_for_me since 13',
    ],
    ['implemented', implemented(), 'verify_contract since 13', 'verify_contract since 13'],
    [
      'verified in part',
      then(implemented(), ({ story, revision }) => story.verifies('frontend', revision, 'partial', at(14))),
      'verify_contract since 13',
      'verify_contract since 13',
    ],
    [
      'found not to work',
      then(implemented(), ({ story, revision }) => story.verifies('frontend', revision, 'failure', at(14))),
      'revise_implementation since 14',
      'revise_implementation since 14',
    ],
    [
      'one at work again after that',
      then(implemented(), ({ story, revision }) => {
        story.verifies('frontend', revision, 'failure', at(14))
        story.works('backend', revision, 'in_progress', at(15))
      }),
      'complete_implementation since 15',
      'revise_implementation since 14',
    ],
    [
      'one done again after that',
      then(implemented(), ({ story, revision }) => {
        story.verifies('frontend', revision, 'failure', at(14))
        story.works('backend', revision, 'complete', at(16))
      }),
      'waits for frontend to implement it since 16',
      'revise_implementation since 14',
    ],
    ['verified', verified(), 'nothing', 'verify_again since 14'],
    [
      'asked to change after it was verified',
      then(verified(), ({ story, revision }) =>
        story.answers('frontend', revision, 'request_change', at(17)),
      ),
      'revise_contract since 17',
      'answer_contract since 10; waits for backend to propose a new version since 17',
    ],
    ['changed on two sides', conflicted(), 'resolve_conflict since 16', 'resolve_conflict since 16'],
    [
      'settled by one side',
      then(proposed(), ({ story, revision }) => {
        const resolves = [story.revises('backend', revision, at(15))]
        const head = story.revises('frontend', revision, at(16), { by: 'frontend' })
        const { backend } = story.authors
        story.say(backend.revise(story.claims.backend ?? head, head, { at: at(18), resolves }))
      }),
      'waits for frontend to answer it since 18',
      'answer_contract since 18',
    ],
  ])('%s', (_state, told, backend, frontend) => {
    expect(turnsIn(told, 'backend', 'frontend')).toEqual([backend, frontend])
  })

  test('each of three that has not answered is asked, and those who have wait for the others', () => {
    const story = new Story({ named: ['backend', 'frontend', 'mobile'] })
    const revision = story.proposes('backend', at(10))
    const turns = () =>
      turnsIn({ story, contract: story.contract(revision) }, 'backend', 'frontend', 'mobile')
    expect(turns()).toEqual([
      'waits for frontend and mobile to answer it since 10',
      'answer_contract since 10',
      'answer_contract since 10',
    ])
    story.answers('mobile', revision, 'agree', at(11))
    expect(turns()).toEqual([
      'waits for frontend to answer it since 10',
      'answer_contract since 10',
      'waits for frontend to answer it since 10',
    ])
    story.answers('frontend', revision, 'request_change', at(12))
    expect(turns()).toEqual([
      'revise_contract since 12',
      'answer_contract since 10; waits for backend to propose a new version since 12',
      'waits for backend to propose a new version since 12',
    ])
  })

  test('a third party answers what stands while two others are in conflict', () => {
    const story = new Story({ named: ['backend', 'frontend', 'mobile'] })
    const revision = story.proposes('backend', at(10))
    story.revises('backend', revision, at(15), { by: 'backend' })
    story.revises('frontend', revision, at(16), { by: 'frontend' })
    expect(turnsIn({ story, contract: story.contract(revision) }, 'mobile')).toEqual([
      'answer_contract since 16',
    ])
  })

  test('the only party of a contract answers it itself', () => {
    const story = new Story()
    const revision = story.proposes('backend', at(10), { parties: ['backend'] })
    expect(turnsIn({ story, contract: story.contract(revision) }, 'backend', 'frontend')).toEqual([
      'answer_contract since 10',
      'nothing',
    ])
  })

  test('who proposes for others waits for them, and has nothing to implement', () => {
    const story = new Story()
    const revision = story.proposes('backend', at(10), { parties: ['frontend'] })
    const turns = () => turnsIn({ story, contract: story.contract(revision) }, 'backend')
    expect(turns()).toEqual(['waits for frontend to answer it since 10'])
    story.answers('frontend', revision, 'agree', at(11))
    expect(turns()).toEqual(['nothing'])
  })

  test('nobody has anything to do about what was withdrawn', () => {
    const told = then(proposed(), ({ story, revision }) => {
      const { backend } = story.authors
      const { about } = revision
      const said = { kind: 'withdrawal', about, at: at(12), body: { revision: revision.id, reason: '' } }
      story.say(backend.under(story.claims.backend ?? revision, said))
    })
    expect(turnsIn(told, 'backend', 'frontend')).toEqual(['nothing', 'nothing'])
  })

  test('what an item rests on differs as soon as there is more to it', () => {
    const basisOf = ({ contract }: Pick<Told, 'contract'>) => turnsOfContract(contract).duties[0]?.basis
    const again = then(negotiating(), ({ story, revision }) =>
      story.answers('frontend', revision, 'reject', at(12)),
    )
    expect(basisOf(again)).not.toEqual(basisOf(negotiating()))
    const partly = then(implemented(), ({ story, revision }) =>
      story.verifies('frontend', revision, 'partial', at(14)),
    )
    expect(basisOf(partly)).not.toEqual(basisOf(implemented()))
  })
})

const asked = packet({ packet_id: 'q', type: 'question', content: { question: 'JWT?' }, repo_id: FRONTEND })
const wanted = { ...asked, content: { question: 'a sample', wants: 'file' } }

let said = 0
const says = (repoId: string, second: number, given: Partial<PacketEntity> = {}): PacketEntity =>
  packet({
    packet_id: `r${++said}`,
    type: 'dependency_info',
    content: { answer: 'yes' },
    repo_id: repoId,
    timestamp: at(second),
    reply_to: 'q',
    ...given,
  })
const takenBack = { by: 'x', at: at(50), reason: '' }

describe('whose turn it is with a question', () => {
  test.each<[state: string, thread: PacketEntity[], asker: string, other: string, third: string]>([
    [
      'asked',
      [asked],
      'waits for any to answer it since 0',
      'answer_question since 0',
      'answer_question since 0',
    ],
    [
      'replied to by one',
      [asked, says(BACKEND, 1)],
      'accept_answer since 1',
      'nothing',
      'answer_question since 0',
    ],
    [
      'replied to by one whose clock is behind',
      [{ ...asked, timestamp: at(9) }, says(BACKEND, 1)],
      'accept_answer since 9',
      'nothing',
      'answer_question since 9',
    ],
    [
      'replied to by all',
      [asked, says(BACKEND, 1), says(MOBILE, 2)],
      'accept_answer since 1',
      'nothing',
      'nothing',
    ],
    [
      'asked further',
      [asked, says(BACKEND, 1), says(FRONTEND, 3)],
      'waits for any to answer it since 3',
      'answer_question since 3',
      'answer_question since 3',
    ],
    [
      'replied to, which was taken back',
      [asked, says(BACKEND, 1, { redacted: takenBack })],
      'waits for any to answer it since 0',
      'answer_question since 0',
      'answer_question since 0',
    ],
    [
      'decided',
      [asked, says(BACKEND, 1), says(FRONTEND, 2, { type: 'decision' })],
      'nothing',
      'nothing',
      'nothing',
    ],
    [
      'decided deep in the conversation',
      [
        asked,
        says(BACKEND, 1, { packet_id: 'deep' }),
        says(MOBILE, 2, { type: 'decision', reply_to: 'deep' }),
      ],
      'nothing',
      'nothing',
      'nothing',
    ],
    [
      'decided, which was taken back',
      [asked, says(FRONTEND, 2, { type: 'decision', redacted: takenBack })],
      'waits for any to answer it since 0',
      'answer_question since 0',
      'answer_question since 0',
    ],
    [
      'replied to and decided by a repo that nobody named',
      [asked, says('repo-invented', 1), says('repo-invented', 2, { type: 'decision' })],
      'waits for any to answer it since 0',
      'answer_question since 0',
      'answer_question since 0',
    ],
    [
      'asked by a repo that nobody named',
      [{ ...asked, repo_id: 'repo-invented' }, says(BACKEND, 1)],
      'answer_question since 0',
      'nothing',
      'answer_question since 0',
    ],
    [
      'replied to and decided by one that does not speak for its repo',
      [asked, says(BACKEND, 1, { counts: false }), says(BACKEND, 2, { type: 'decision', counts: false })],
      'waits for any to answer it since 0',
      'answer_question since 0',
      'answer_question since 0',
    ],
    [
      'asked by one that does not speak for its repo',
      [{ ...asked, counts: false }],
      'nothing',
      'nothing',
      'nothing',
    ],
    ['taken back', [{ ...asked, redacted: takenBack }], 'nothing', 'nothing', 'nothing'],
    [
      'a file asked for',
      [wanted],
      'waits for any to answer it since 0',
      'fulfil_file_request since 0',
      'fulfil_file_request since 0',
    ],
    [
      'a file asked for that one does not have',
      [wanted, says(BACKEND, 1)],
      'accept_answer since 1',
      'nothing',
      'fulfil_file_request since 0',
    ],
    ['the file given', [wanted, says(MOBILE, 1, { content: { file: {} } })], 'nothing', 'nothing', 'nothing'],
  ])('%s', (_state, thread, asker, other, third) => {
    const [question = asked] = thread
    const found = viewOf({ repos: REPOS, packets: thread })
    const turns = turnsOfQuestion(question, talkAbout(question, found))
    expect([FRONTEND, BACKEND, MOBILE].map((repoId) => turnOf(repoId, turns))).toEqual([asker, other, third])
    expect(openQuestions(found)).toEqual(asker === 'nothing' ? [] : [question])
  })

  test('a question may have more replies than a call may have arguments', () => {
    const replies = Array<PacketEntity>(200_000).fill(says(BACKEND, 1))
    const repliesTo = (id: string) => (id === asked.packet_id ? replies : [])
    expect(
      talkAbout(asked, { ...viewOf({ repos: REPOS, packets: [asked] }), repliesTo }).last.has(BACKEND),
    ).toBe(true)
  })

  test('a question in the conversation on another one is part of it, one about something else is not', () => {
    const code = packet({ packet_id: 'code', type: 'code_snippet' })
    const about = says(BACKEND, 1, { packet_id: 'about', type: 'question', reply_to: 'code' })
    const back = says(FRONTEND, 2, { packet_id: 'back', type: 'question', reply_to: 'about' })
    const found = viewOf({ repos: REPOS, packets: [code, about, back] })
    expect(openQuestions(found).map((one) => one.packet_id)).toEqual(['about'])
    expect(questionAbove(back, (id) => found.packets.get(id))?.packet_id).toBe('about')
    expect(questionAbove(code, (id) => found.packets.get(id))).toBeUndefined()
  })

  test('replies that form a ring belong to no question', () => {
    const ring = ['a', 'b'].map((id, index) =>
      says(BACKEND, index, { packet_id: id, type: 'question', reply_to: id === 'a' ? 'b' : 'a' }),
    )
    expect(openQuestions(viewOf({ repos: REPOS, packets: ring }))).toEqual([])
  })
})
