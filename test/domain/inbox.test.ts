import { describe, expect, test } from 'vitest'
import { newContract, revise } from '../../src/domain/contract.ts'
import { turnsOfContract } from '../../src/domain/contract-turns.ts'
import { isAmong, type Turns, turnsOfQuestion } from '../../src/domain/inbox.ts'
import { mergeContract } from '../../src/domain/merge.ts'
import type { Contract, Packet } from '../../src/domain/model.ts'
import { questionAbove, talkAbout } from '../../src/domain/question.ts'
import { resolve } from '../../src/domain/resolve.ts'
import { openQuestions } from '../../src/domain/standing.ts'
import type { Stamp } from '../../src/protocol/stamp.ts'
import {
  agreed,
  answer,
  at,
  BACKEND,
  complete,
  FRONTEND,
  implemented,
  negotiating,
  packet,
  proposed,
  repo,
  start,
  startAndComplete,
  update,
  verified,
  verify,
  viewOf,
} from './builders.ts'

const MOBILE = 'repo-mobile'
const REPOS = [BACKEND, FRONTEND, MOBILE].map((repo_id) => repo({ repo_id, name: repo_id }))

/** What a repo of a project of three has to do or waits for, in one line, with the second since when. */
function turnOf(repoId: string, { duties, waits }: Turns, repos = 3): string {
  const due = duties
    .filter(({ to }) => isAmong(repoId, to, repos))
    .map(({ kind, since }) => `${kind} since ${seconds(since)}`)
  const waiting = waits
    .filter((wait) => wait.repoId === repoId)
    .map(({ on, to, since }) => `waits for ${on.join(' and ') || 'any'} to ${to} since ${seconds(since)}`)
  return [...due, ...waiting].join('; ') || 'nothing'
}

const seconds = (stamp: Stamp): number => (Date.parse(stamp) - Date.parse(at(0))) / 1000

/** Both repos changed version 1 without knowing of each other; the frontend's change is the later one. */
function conflicted(): Contract {
  const change = (repoId: string, now: Stamp) =>
    revise(proposed(), { content: { by: repoId }, repoId, changeNotes: '', now })
  return mergeContract(change(BACKEND, at(5)), change(FRONTEND, at(6))).value
}

const toEverybody = (contract: Contract): Contract => ({
  ...contract,
  parties: [BACKEND, FRONTEND, MOBILE].sort(),
})

describe('whose turn it is with a contract', () => {
  test.each<[state: string, contract: Contract, backend: string, frontend: string]>([
    ['proposed', proposed(), `waits for ${FRONTEND} to answer it since 0`, 'answer_contract since 0'],
    [
      'changes requested',
      negotiating(),
      'revise_contract since 1',
      `waits for ${BACKEND} to propose a new version since 1`,
    ],
    [
      'rejected',
      answer(proposed(), 'reject', at(1)),
      'revise_contract since 1',
      `waits for ${BACKEND} to propose a new version since 1`,
    ],
    [
      'a new version after that',
      update(negotiating(), { path: '/you' }, at(2)),
      `waits for ${FRONTEND} to answer it since 2`,
      'answer_contract since 2',
    ],
    ['agreed', agreed(), 'start_implementation since 1', 'start_implementation since 1'],
    ['one has started', start(agreed(), BACKEND, at(2)), 'nothing', 'start_implementation since 1'],
    [
      'one is complete, the other has not started',
      startAndComplete(agreed(), BACKEND, at(2)),
      `waits for ${FRONTEND} to implement it since 2`,
      'start_implementation since 1',
    ],
    [
      'one is complete, the other at work',
      start(startAndComplete(agreed(), BACKEND, at(2)), FRONTEND, at(3)),
      `waits for ${FRONTEND} to implement it since 2`,
      'waits_for_me since 3',
    ],
    ['implemented', implemented(), 'verify_contract since 3', 'verify_contract since 3'],
    [
      'verified in part',
      verify(implemented(), 'partial', at(4)),
      'verify_contract since 3',
      'verify_contract since 3',
    ],
    [
      'found not to work',
      verify(implemented(), 'failure', at(4)),
      'revise_implementation since 4',
      'revise_implementation since 4',
    ],
    [
      'one at work again after that',
      start(verify(implemented(), 'failure', at(4)), BACKEND, at(5)),
      'nothing',
      'revise_implementation since 4',
    ],
    [
      'one done again after that',
      complete(start(verify(implemented(), 'failure', at(4)), BACKEND, at(5)), BACKEND, at(6)),
      `waits for ${FRONTEND} to implement it since 6`,
      'revise_implementation since 4',
    ],
    ['verified', verified(), 'nothing', 'nothing'],
    [
      'asked to change after it was verified',
      answer(verified(), 'request_change', at(7)),
      'revise_contract since 7',
      `waits for ${BACKEND} to propose a new version since 7`,
    ],
    ['changed on two sides', conflicted(), 'resolve_conflict since 6', 'resolve_conflict since 6'],
    [
      'settled by one side',
      resolve(conflicted(), { kept: { keep: 'winner' }, repoId: BACKEND, changeNotes: '', now: at(8) }),
      `waits for ${FRONTEND} to answer it since 8`,
      'answer_contract since 8',
    ],
  ])('%s', (_state, contract, backend, frontend) => {
    const turns = turnsOfContract(contract)
    expect({ backend: turnOf(BACKEND, turns), frontend: turnOf(FRONTEND, turns) }).toEqual({
      backend,
      frontend,
    })
    expect(turnOf(MOBILE, turns)).toBe('nothing')
  })

  test('a third party answers what stands while two others are in conflict', () => {
    expect(turnOf(MOBILE, turnsOfContract(toEverybody(conflicted())))).toBe('answer_contract since 6')
  })

  test('where nobody else is a party, any other repo answers, and the only repo of a project itself', () => {
    const alone = newContract({
      id: 'c1',
      type: 'custom',
      name: 'Me',
      content: {},
      repoId: BACKEND,
      parties: [BACKEND],
      now: at(0),
    })
    const turns = turnsOfContract(alone)
    expect(turnOf(BACKEND, turns)).toBe('waits for any to answer it since 0')
    expect(turnOf(FRONTEND, turns)).toBe('answer_contract since 0')
    expect(turnOf(BACKEND, turns, 1)).toContain('answer_contract since 0')
  })

  test('who proposes for others waits for them, and has nothing to implement', () => {
    const forThem = newContract({
      id: 'c1',
      type: 'custom',
      name: 'Me',
      content: {},
      repoId: BACKEND,
      parties: [FRONTEND],
      now: at(0),
    })
    expect(turnOf(BACKEND, turnsOfContract(forThem))).toBe(`waits for ${FRONTEND} to answer it since 0`)
    expect(turnOf(BACKEND, turnsOfContract(answer(forThem, 'agree', at(1))))).toBe('nothing')
  })

  test('what an item rests on differs as soon as there is more to it', () => {
    const [once] = turnsOfContract(negotiating()).duties
    const [again] = turnsOfContract(answer(negotiating(), 'reject', at(2))).duties
    expect(again?.basis).not.toEqual(once?.basis)
    const [partly] = turnsOfContract(verify(implemented(), 'partial', at(4))).duties
    const [not] = turnsOfContract(implemented()).duties
    expect(partly?.basis).not.toEqual(not?.basis)
  })
})

const asked = packet({ packet_id: 'q', type: 'question', content: { question: 'JWT?' }, from_repo: FRONTEND })
const wanted = { ...asked, content: { question: 'a sample', wants: 'file' } }

let said = 0
const says = (repoId: string, second: number, given: Partial<Packet> = {}): Packet =>
  packet({
    packet_id: `r${++said}`,
    type: 'dependency_info',
    content: { answer: 'yes' },
    from_repo: repoId,
    timestamp: at(second),
    reply_to: 'q',
    ...given,
  })
const takenBack = { by: 'x', at: at(50), reason: '' }

describe('whose turn it is with a question', () => {
  test.each<[state: string, thread: Packet[], asker: string, other: string, third: string]>([
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
      [{ ...asked, from_repo: 'repo-invented' }, says(BACKEND, 1)],
      'answer_question since 0',
      'nothing',
      'answer_question since 0',
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
    const replies = Array<Packet>(200_000).fill(says(BACKEND, 1))
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
