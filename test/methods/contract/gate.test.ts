import { describe, expect, test } from 'vitest'
import type { Evidence, Grade } from '../../../src/domain/proof/evidence.ts'
import { speakIn } from '../../../src/domain/speaking/speaking.ts'
import { tree } from '../../../src/domain/statements/tree.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'
import { type Desk, type Feature, openDesk, openFeature } from '../../support/desk/desk.ts'
import { forkContract } from '../../support/desk/forked-contract.ts'

const RUN: Evidence = {
  kind: 'run',
  repo: 'frontend-app',
  command: 'npm run e2e',
  exitCode: 0,
  durationMs: 1200,
  output: { sha256: sha256('all passed'), tail: 'all passed' },
}
const EXCHANGES: Evidence = {
  kind: 'exchanges',
  repo: 'frontend-app',
  count: 12,
  failed: 0,
  seen: ['response.200.body.email'],
  of: 3,
  har: null,
  failures: [],
}
const returning = (body: JsonObject): JsonObject => ({ method: 'GET', path: '/users/me', response: body })
const V1 = returning({ id: 'string', email: 'string' })
const COMPATIBLE = returning({ id: 'string', email: 'string', name: 'string' })
const BREAKING = returning({ id: 'string' })

/** A contract that both sides agreed to, with what they do about it. */
async function opened(desk: Desk) {
  const feature = await openFeature(desk)
  const { projectId, backend, frontend } = feature
  const proposed = await backend('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Get User',
    content: V1,
  })
  const target = { projectId, contractId: proposed.contractId }
  await frontend('cacp/contract/respond', { ...target, action: 'agree' })
  desk.repository.set('src/user.py', 'def get(): ...')
  return { ...feature, target }
}
type Opened = Awaited<ReturnType<typeof opened>>

async function completes(side: Feature['backend'], { target }: Opened, file: string) {
  await side('cacp/implementation/start', target)
  await side('cacp/implementation/complete', { ...target, files: [file] })
}

async function completedByBoth(desk: Desk) {
  const story = await opened(desk)
  await completes(story.backend, story, 'src/user.py')
  await completes(story.frontend, story, 'src/user.ts')
  return story
}

async function verified(desk: Desk, evidence: Evidence[] = [RUN]) {
  const story = await completedByBoth(desk)
  await story.frontend('cacp/implementation/verify', { ...story.target, result: 'success', evidence })
  return story
}

async function changesTo(story: Opened, content: JsonObject) {
  const { backend, frontend, target } = story
  await backend('cacp/contract/update', { ...target, content })
  return frontend('cacp/contract/respond', { ...target, action: 'agree' })
}

/** What the daemon of the frontend would state, were it one of its own. */
async function frontendStates(
  { store, clock }: Desk,
  { target }: Opened,
  content: string,
  more: { moved?: string[]; ignored?: JsonObject[] } = {},
) {
  await store.commit((view) => {
    const found = view.projects.get(target.projectId)
    const contract = found?.contracts.get(target.contractId)
    const by = [...(found?.repos.oldestFirst() ?? [])].find(({ name }) => name === 'frontend-app')?.holder
      ?.speaks_by
    if (found === undefined || contract?.in_force === undefined || by === undefined)
      throw new TypeError('is there')
    const { id: revision } = contract.in_force.revision
    const body = { register: '', revision, digest: sha256(content), hashes: [], moved: [], ...more }
    return {
      result: undefined,
      says: [
        speakIn(found, by, { now: clock.now(), newNonce: clock.newNonce })(tree, {
          about: contract.contract_id,
          body,
        }),
      ],
    }
  })
}

const asked = async (side: Feature['backend'], { target }: Opened, require?: Grade) => {
  const { answer, rows } = await side('cacp/gate/check', {
    projectId: target.projectId,
    ...(require === undefined ? {} : { require }),
  })
  expect(answer).toBe(rows[0]?.answer ?? 'yes')
  return rows[0]
}

describe('the gate says yes', () => {
  test('where all is complete, the files are as judged, and the evidence is good enough', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    expect(await asked(story.backend, story)).toMatchObject({
      answer: 'yes',
      code: 'fits',
      grade: 'ran',
      version: 1,
    })
    expect(await asked(story.frontend, story)).toMatchObject({ answer: 'yes', code: 'fits' })
  })

  test('where observed requests are required and were observed', async () => {
    await using desk = await openDesk()
    const story = await verified(desk, [RUN, EXCHANGES])
    expect(await asked(story.backend, story, 'observed')).toMatchObject({ answer: 'yes', grade: 'observed' })
  })

  test('with a note, where a newer version is being negotiated', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    await story.backend('cacp/contract/update', { ...story.target, content: BREAKING })
    const row = await asked(story.frontend, story)
    expect(row).toMatchObject({ answer: 'yes', version: 1 })
    expect(row?.notes?.[0]).toContain('Version 2 is being negotiated')
  })

  test('with a note, where its own part is of an older version that still fits', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    await changesTo(story, COMPATIBLE)
    await completes(story.backend, story, 'src/user.py')
    const row = await asked(story.frontend, story)
    expect(row).toMatchObject({ answer: 'yes', version: 2 })
    expect(row?.notes?.join()).toContain('with which version 2 is compatible')
  })

  test('with a note, where the counterpart has an older version and need not go first', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    await changesTo(story, COMPATIBLE)
    await completes(story.backend, story, 'src/user.py')
    const row = await asked(story.backend, story)
    expect(row).toMatchObject({ answer: 'yes', version: 2 })
    expect(row?.notes?.join()).toContain('frontend-app still has version 1')
  })

  test('where nothing is in force that could be kept', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    await backend('cacp/contract/propose', { projectId, type: 'api_endpoint', name: 'Get User', content: V1 })
    const { answer, rows } = await backend('cacp/gate/check', { projectId })
    expect([answer, rows[0]?.code]).toEqual(['yes', 'not_in_force'])
  })

  test('to a repo without contracts', async () => {
    await using desk = await openDesk()
    const { projectId, frontend } = await openFeature(desk)
    expect(await frontend('cacp/gate/check', { projectId })).toMatchObject({ answer: 'yes', rows: [] })
  })
})

describe('the gate says no', () => {
  test('where its own part is of an older version that does not fit any more', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    await changesTo(story, BREAKING)
    await completes(story.backend, story, 'src/user.py')
    expect(await asked(story.frontend, story)).toMatchObject({
      answer: 'no',
      code: 'older_version',
      ask: ['frontend-app'],
      next: { method: 'cacp/implementation/start' },
    })
  })

  test('where it breaks a counterpart that has not accepted that, until that one does', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    const { backend, frontend, target } = story
    await changesTo(story, BREAKING)
    await completes(backend, story, 'src/user.py')
    expect(await asked(backend, story)).toMatchObject({
      answer: 'no',
      code: 'breaks_counterpart',
      ask: ['frontend-app'],
    })
    const [change] = (await backend('cacp/contract/review', { ...target, from: 1, to: 2 })).changes
    await frontend('cacp/contract/respond', {
      ...target,
      action: 'agree',
      accepts: [change?.fingerprint ?? ''],
    })
    expect((await asked(backend, story))?.code).not.toBe('breaks_counterpart')
  })

  test('where the counterpart has to go first', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    await changesTo(story, COMPATIBLE)
    await completes(story.frontend, story, 'src/user.ts')
    expect(await asked(story.frontend, story)).toMatchObject({
      answer: 'no',
      code: 'merge_counterpart_first',
      say: 'backend-api has version 1: merge backend-api first',
    })
  })

  test('where the counterpart has completed the version, and not merged it', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    const { backend, frontend, target } = story
    for (const side of [backend, frontend]) await side('cacp/implementation/merged', target)
    await changesTo(story, COMPATIBLE)
    for (const side of [backend, frontend]) await completes(side, story, 'src/user')
    expect(await asked(frontend, story)).toMatchObject({ answer: 'no', code: 'merge_counterpart_first' })
    await backend('cacp/implementation/merged', { ...target, commit: '9fceb02' })
    expect((await asked(frontend, story))?.code).not.toBe('merge_counterpart_first')
  })

  test('where a verification failed, and says whose part does not work', async () => {
    await using desk = await openDesk()
    const story = await completedByBoth(desk)
    await story.frontend('cacp/implementation/verify', {
      ...story.target,
      result: 'failure',
      blames: ['backend-api'],
    })
    for (const side of [story.backend, story.frontend])
      expect(await asked(side, story)).toMatchObject({
        answer: 'no',
        code: 'verification_failed',
        ask: ['backend-api'],
      })
  })

  test('where a file of its own changed since, and names it', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    desk.repository.set('src/user.py', 'def get(): changed')
    expect(await asked(story.backend, story)).toMatchObject({
      answer: 'no',
      code: 'own_file_moved',
      say: '«src/user.py» of backend-api changed since it was verified',
      next: { method: 'cacp/implementation/verify' },
    })
    desk.repository.set('src/user.py', 'def get(): ...')
    expect(await asked(story.backend, story)).toMatchObject({ answer: 'yes' })
  })

  test('where two versions contradict each other', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    const { backend, target } = story
    await backend('cacp/contract/update', { ...target, content: COMPATIBLE })
    await forkContract(desk, { ...target, repoName: 'frontend-app', content: BREAKING })
    expect(await asked(backend, story)).toMatchObject({
      answer: 'no',
      code: 'open_conflict',
      ask: ['backend-api', 'frontend-app'],
      next: { method: 'cacp/contract/resolve' },
    })
  })
})

describe('the gate does not know', () => {
  test('where its own part is not complete', async () => {
    await using desk = await openDesk()
    const story = await opened(desk)
    expect(await asked(story.backend, story)).toMatchObject({
      answer: 'unknown',
      code: 'not_complete',
      ask: ['backend-api'],
      next: { method: 'cacp/implementation/start' },
    })
  })

  test('where the counterpart has done nothing', async () => {
    await using desk = await openDesk()
    const story = await opened(desk)
    await completes(story.backend, story, 'src/user.py')
    expect(await asked(story.backend, story)).toMatchObject({
      answer: 'unknown',
      code: 'counterpart_silent',
      ask: ['frontend-app'],
    })
  })

  test('where nobody verified it, or found that it works in part', async () => {
    await using desk = await openDesk()
    const story = await completedByBoth(desk)
    expect(await asked(story.backend, story)).toMatchObject({
      answer: 'unknown',
      code: 'not_verified',
      ask: ['backend-api', 'frontend-app'],
      next: { method: 'cacp/implementation/verify' },
    })
    await story.frontend('cacp/implementation/verify', { ...story.target, result: 'partial' })
    expect((await asked(story.backend, story))?.say).toBe('frontend-app found that version 1 works in part')
  })

  test('where it was verified without evidence, unless a claim will do', async () => {
    await using desk = await openDesk()
    const story = await verified(desk, [])
    expect(await asked(story.backend, story)).toMatchObject({
      answer: 'unknown',
      code: 'no_evidence',
      ask: ['frontend-app'],
      grade: 'claimed',
    })
    expect(await asked(story.backend, story, 'claimed')).toMatchObject({ answer: 'yes' })
  })

  test('where something ran, and observed requests are required', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    expect(await asked(story.backend, story, 'observed')).toMatchObject({
      answer: 'unknown',
      code: 'no_evidence',
    })
  })

  test('where a file of the counterpart changed since, and names it', async () => {
    await using desk = await openDesk()
    const story = await completedByBoth(desk)
    await frontendStates(desk, story, 'as judged')
    await story.frontend('cacp/implementation/verify', {
      ...story.target,
      result: 'success',
      evidence: [RUN],
    })
    expect(await asked(story.backend, story)).toMatchObject({ answer: 'yes' })
    await frontendStates(desk, story, 'changed', { moved: ['src/user.ts'] })
    expect(await asked(story.backend, story)).toMatchObject({
      answer: 'unknown',
      code: 'stale',
      say: '«src/user.ts» of frontend-app changed since it was verified',
      ask: ['backend-api', 'frontend-app'],
    })
  })
})

describe('what the gate does not know is in an inbox', () => {
  const itemsOf = async (side: Feature['backend']) =>
    (await side('cacp/inbox/list', {})).items.map(({ kind, urgency, why }) => ({ kind, urgency, why }))

  test('of whoever verified without evidence, and is not urgent', async () => {
    await using desk = await openDesk()
    const story = await verified(desk, [])
    expect(await itemsOf(story.frontend)).toMatchObject([{ kind: 'verify_again', urgency: 'low' }])
    expect(await itemsOf(story.backend)).toEqual([])
  })

  test('of all parties where a file changed, until it is verified again', async () => {
    await using desk = await openDesk()
    const story = await verified(desk)
    expect(await itemsOf(story.backend)).toEqual([])
    desk.repository.set('src/user.py', 'def get(): changed')
    await asked(story.backend, story)
    for (const side of [story.backend, story.frontend])
      expect(await itemsOf(side)).toMatchObject([
        { kind: 'verify_again', why: expect.stringContaining('«src/user.py» of «backend-api» changed') },
      ])
    await story.backend('cacp/implementation/verify', { ...story.target, result: 'success', evidence: [RUN] })
    for (const side of [story.backend, story.frontend]) expect(await itemsOf(side)).toEqual([])
  })
})

describe('declared files that count as not there are named', () => {
  async function declares(desk: Desk, files: string[]) {
    const story = await opened(desk)
    desk.repository.set('link.py', { ignored: 'link' }).set('dump.sql', { ignored: 'large' })
    await story.backend('cacp/implementation/start', story.target)
    const answer = await story.backend('cacp/implementation/complete', { ...story.target, files })
    return { ...story, answer }
  }
  const LINK = {
    repo: 'backend-api',
    file: 'link.py',
    why: 'it is a symbolic link or in a folder that is one, and links are not followed',
  }

  test('to the agent that declares them, and to no other', async () => {
    await using desk = await openDesk()
    const { answer, frontend, target } = await declares(desk, ['link.py', 'src/user.py', 'gone.py'])
    expect(answer.ignored).toEqual([
      LINK,
      { repo: 'backend-api', file: 'gone.py', why: 'there is no such file' },
    ])
    await frontend('cacp/implementation/start', target)
    expect(await frontend('cacp/implementation/complete', { ...target, files: ['link.py'] })).toEqual({
      status: 'complete',
      contractStatus: 'implemented',
    })
  })

  test('to whoever verifies, and at the gate', async () => {
    await using desk = await openDesk()
    const story = await declares(desk, ['link.py', 'gone.py'])
    await completes(story.frontend, story, 'src/user.ts')
    await asked(story.backend, story)
    const answer = await story.frontend('cacp/implementation/verify', {
      ...story.target,
      result: 'success',
      evidence: [RUN],
    })
    expect(answer.ignored).toEqual([LINK])
    expect(await asked(story.frontend, story)).toMatchObject({
      answer: 'yes',
      notes: [`Nobody would see a change of «link.py» of backend-api: ${LINK.why}`],
    })
  })

  test('in the inbox, until they are declared otherwise', async () => {
    await using desk = await openDesk()
    const { backend, target, ...story } = await declares(desk, ['dump.sql'])
    const items = async () => {
      await asked(backend, { ...story, backend, target })
      return (await backend('cacp/inbox/list', {})).items
    }
    expect(await items()).toMatchObject([
      {
        kind: 'declare_again',
        urgency: 'low',
        why: 'Nobody would see a change of «dump.sql», which this repo declared: it is larger than 64 MiB. Complete it again with the files that count',
      },
    ])
    await backend('cacp/implementation/complete', { ...target, files: ['src/user.py'] })
    expect(await items()).toEqual([])
  })

  test('of a repo whose daemon knows other reasons, without one', async () => {
    await using desk = await openDesk()
    const story = await completedByBoth(desk)
    await frontendStates(desk, story, 'one', { ignored: [{ path: 'x.ts', why: 'enchanted' }] })
    expect(await asked(story.frontend, story)).toMatchObject({
      notes: ['Nobody would see a change of «x.ts» of frontend-app: it counts as not there'],
    })
  })
})

test('a verification that contradicts its evidence is refused', async () => {
  await using desk = await openDesk()
  const story = await completedByBoth(desk)
  const verify = (evidence: Evidence[]) =>
    story.frontend('cacp/implementation/verify', { ...story.target, result: 'success', evidence })
  await expect(verify([{ ...RUN, exitCode: 1 }])).rejects.toThrow('the command ended with 1')
  await expect(verify([{ ...EXCHANGES, failed: 2 }])).rejects.toThrow('2 requests did not fit')
})

test('the gate of a repo that is not there is refused with those that are', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  await expect(backend('cacp/gate/check', { projectId, repo: 'nowhere' })).rejects.toThrow(
    'nowhere is no repo',
  )
})
