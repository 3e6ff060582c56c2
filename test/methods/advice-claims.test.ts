import { describe, expect, test } from 'vitest'
import type { Caller } from '../../src/domain/env.ts'
import type { JsonObject } from '../../src/protocol/json/json.ts'
import type { NextCall } from '../../src/protocol/next-call.ts'
import { Author } from '../domain/statements/author.ts'
import { type Desk, FRONTEND, OUTSIDER, openDesk } from '../support/desk/desk.ts'
import { filledIn, type Refusal } from '../support/desk/follow-advice.ts'
import { hear } from '../support/desk/inbox-scenes.ts'

/** Who claimed a repo and does not hold it, and who settles that: every refusal leads somewhere. */

const FOUNDER = 'aid://example.com/founder@1.0.0'
const GUEST: Partial<Caller> = { kind: 'open', agentId: FRONTEND, repoName: null }

interface Lost {
  readonly projectId: string
  /** The other side gives the repo back, as the advice asks it to. */
  readonly giveBack?: () => Promise<unknown>
}

/** A project that was founded elsewhere names `mobile-app`, and whatever else it has room for. */
async function foundElsewhere(desk: Desk, ...names: readonly string[]) {
  const founder = new Author(FOUNDER)
  const founding = founder.found(desk.clock.now())
  const named = ['mobile-app', ...names].map((name) => founder.nameRepo(founding, name, desk.clock.now()))
  await hear(desk, founding, ...named)
  return { founder, founding, projectId: founding.project_id }
}

/** The guest joins as `mobile-app`, which the founder then confirms for somebody else. */
async function outranked(desk: Desk, ...names: readonly string[]): Promise<Lost> {
  const { founder, founding, projectId } = await foundElsewhere(desk, ...names)
  await join(desk, projectId)
  const rival = new Author(OUTSIDER)
  const claim = rival.claim(projectId, 'mobile-app', desk.clock.now())
  await hear(desk, claim, founder.confirm(founding, claim, desk.clock.now()))
  return { projectId, giveBack: () => hear(desk, rival.release(claim, desk.clock.now())) }
}

/** The founder, elsewhere, takes `mobile-app` from the guest and gives it to nobody. */
async function expelled(desk: Desk, ...names: readonly string[]): Promise<Lost> {
  const { founder, founding, projectId } = await foundElsewhere(desk, ...names)
  await join(desk, projectId)
  const repo = [...(desk.store.view.projects.get(projectId)?.repos.oldestFirst() ?? [])].find(
    ({ name }) => name === 'mobile-app',
  )
  const claimId = repo?.holder?.claim_id ?? ''
  const settle = (holder: string | null, ended: readonly string[]) =>
    hear(
      desk,
      founder.under(founding, {
        kind: 'settlement',
        about: repo?.repo_id ?? '',
        at: desk.clock.now(),
        body: { holder, ended: ended.map((claim) => ({ claim, until: null })) },
      }),
    )
  await settle(null, [claimId])
  return { projectId, giveBack: () => settle(claimId, []) }
}

/** The operator here founded the project, and takes the repo from the guest. */
async function expelledHere(desk: Desk): Promise<Lost> {
  const repos = [{ name: 'backend-api' }, { name: 'mobile-app' }]
  const { projectId } = await desk.call('cacp/project/create', { name: 'P', objective: '', repos })
  await join(desk, projectId)
  const settle = (holder: string | null) =>
    desk.call('cacp/repo/settle', { projectId, repoName: 'mobile-app', holder })
  await settle(null)
  return { projectId, giveBack: () => settle(FRONTEND) }
}

const join = (desk: Desk, projectId: string) =>
  desk.send('cacp/project/join', { projectId, repoName: 'mobile-app' }, { caller: GUEST })

const SITUATIONS: Record<string, (desk: Desk) => Promise<Lost>> = {
  'another claim counts before its own': (desk) => outranked(desk),
  'another claim counts before its own, and there is room': (desk) => outranked(desk, 'desktop-app'),
  'a settlement gave the repo to nobody': (desk) => expelled(desk),
  'a settlement gave the repo to nobody, and there is room': (desk) => expelled(desk, 'desktop-app'),
  'a settlement of its own daemon took the repo': expelledHere,
}

const WANTED: Record<string, readonly [method: string, params: JsonObject]> = {
  'ask a question': ['cacp/context/askQuestion', { question: 'JWT?' }],
  'propose a contract': ['cacp/contract/propose', { type: 'custom', name: 'Login', content: {} }],
  'join again': ['cacp/project/join', { repoName: 'mobile-app' }],
}

const refusalOf = (desk: Desk, method: string, params: JsonObject, caller: Partial<Caller> = GUEST) =>
  desk.send(method, params, { caller }).then(
    () => undefined,
    (thrown: Refusal) => thrown,
  )

describe.each(Object.entries(SITUATIONS))('where %s', (situation, arrange) => {
  test.each(Object.entries(WANTED))('to %s is refused with what to do', async (_wish, [method, params]) => {
    await using desk = await openDesk()
    const { projectId } = await arrange(desk)
    const wanted = { projectId, ...params }
    const steps: NextCall[] = []
    for (;;) {
      const refused = await refusalOf(desk, method, wanted)
      if (refused === undefined) break
      const { call } = refused.data
      if (call === undefined) {
        // There is no room: others have to act, and are named with their calls.
        expect(situation).not.toContain('there is room')
        expect(refused.next).toMatch(/(ask|Ask) \S+.* cacp\/repo\/settle with holder \S+$/)
        return
      }
      expect(refused.next).toContain(call.method)
      expect(steps.push(call), JSON.stringify(steps)).toBeLessThanOrEqual(3)
      await desk.send(call.method, filledIn(call), { caller: GUEST })
      if (call.method === method) break
    }
    await expect(
      desk.send('cacp/context/askQuestion', { projectId, question: 'JWT?' }, { caller: GUEST }),
    ).resolves.toMatchObject({ status: 'shared' })
  })

  test('the others can give the repo back as the advice says', async () => {
    await using desk = await openDesk()
    const { projectId, giveBack } = await arrange(desk)
    const asking = { projectId, question: 'mine again?' }
    expect(await refusalOf(desk, 'cacp/context/askQuestion', asking)).toMatchObject({ kind: 'not_member' })
    await giveBack?.()
    await expect(desk.send('cacp/context/askQuestion', asking, { caller: GUEST })).resolves.toMatchObject({
      status: 'shared',
    })
  })

  test('its inbox says how to be done with it', async () => {
    await using desk = await openDesk()
    const { projectId } = await arrange(desk)
    const inbox = async () =>
      (await desk.send('cacp/inbox/list', { projectId }, { caller: GUEST })) as {
        items: { kind: string; next: NextCall }[]
      }
    const { items } = await inbox()
    const lost = items.find(({ kind }) => kind === 'claim_lost')
    if (lost === undefined) throw new TypeError('nothing is said of it')
    await desk.send(lost.next.method, lost.next.params, { caller: GUEST })
    expect((await inbox()).items.map(({ kind }) => kind)).not.toContain('claim_lost')
  })

  test('who gives its claim up and joins again is told the truth of it', async () => {
    await using desk = await openDesk()
    const { projectId } = await arrange(desk)
    const named = { projectId, repoName: 'mobile-app' }
    await desk.send('cacp/repo/release', named, { caller: GUEST })
    const joined = await desk.send('cacp/project/join', named, { caller: GUEST }).catch(() => undefined)
    if (joined === undefined) return
    const { hint } = joined as { hint?: string }
    const refused = await refusalOf(desk, 'cacp/context/askQuestion', { projectId, question: 'JWT?' })
    expect(refused === undefined).toBe(hint === undefined)
    if (refused !== undefined) expect(refused.next).toContain(hint?.split('calls ')[1])
  })
})

describe('to settle who holds a repo', () => {
  /** Founded here, where two daemons claim a repo; the other one nobody does. */
  async function claimedTwice(desk: Desk, names: readonly [string, string]) {
    const repos = [{ name: 'backend-api' }, { name: 'mobile-app' }, { name: 'desktop-app' }]
    const { projectId } = await desk.call('cacp/project/create', { name: 'P', objective: '', repos })
    const claims = names.map((name) =>
      new Author(name).claim(projectId, 'mobile-app', desk.clock.now(), name.split(' ')[0]),
    )
    await hear(desk, ...claims)
    return { projectId, repoName: 'mobile-app' }
  }

  test.each([
    ['as a holder that is mistyped', ['mobile', 'mallory'], { holder: 'mobil' }],
    ['as one by whose name two daemons go', ['mobile one', 'mobile two'], { holder: 'mobile' }],
    ['of a repo that is mistyped', ['mobile', 'mallory'], { holder: 'mobile', repoName: 'mobil-app' }],
  ] as const)('%s leads to a call that settles it', async (_how, names, wrong) => {
    await using desk = await openDesk()
    const named = await claimedTwice(desk, names)
    const refused = await refusalOf(desk, 'cacp/repo/settle', { ...named, ...wrong }, {})
    const call = refused?.data.call
    expect(refused?.next).toContain(call?.method)
    await expect(desk.send(call?.method ?? '', call?.params)).resolves.toMatchObject({ status: 'settled' })
  })

  test('where nobody claims it, says who has to do something instead', async () => {
    await using desk = await openDesk()
    const { projectId } = await claimedTwice(desk, ['mobile', 'mallory'])
    const vain = { projectId, repoName: 'desktop-app', holder: 'mobile' }
    const refused = await refusalOf(desk, 'cacp/repo/settle', vain, {})
    expect(refused).toMatchObject({ kind: 'not_found', next: expect.stringContaining('cacp/project/join') })
  })

  test('as one whose own claim nobody confirmed leads to a question to the founder', async () => {
    await using desk = await openDesk()
    const { projectId } = await foundElsewhere(desk)
    await desk.call('cacp/project/join', { projectId })
    await hear(desk, new Author(OUTSIDER).claim(projectId, 'mobile-app', desk.clock.now()))
    const vote = { projectId, repoName: 'mobile-app', holder: null }
    const refused = await refusalOf(desk, 'cacp/repo/settle', vote, {})
    expect(refused).toMatchObject({ kind: 'forbidden', next: expect.stringContaining(FOUNDER) })
    const call = refused?.data.call
    expect(refused?.next).toContain(call?.method)
    await expect(desk.send(call?.method ?? '', call?.params)).resolves.toMatchObject({ status: 'shared' })
  })
})
