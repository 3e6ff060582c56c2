import { describe, expect, test } from 'vitest'
import { type Statement, textOf, withoutContent } from '../../../../src/domain/statements/statement.ts'
import { LIMITS } from '../../../../src/protocol/limits.ts'
import { at } from '../../../domain/statements/at.ts'
import { Author } from '../../../domain/statements/author.ts'
import { openScene } from '../../../domain/statements/scene.ts'
import { intakeDesk, PEER } from '../intake-desk.ts'

const idsOf = (statements: readonly Statement[]): string[] => statements.map(({ id }) => id).sort()

const forged = (one: Statement): Statement => ({
  ...one,
  sig: new Author('somebody else').claim(one.project_id, 'x', at(0)).sig,
})

describe('what another daemon sends', () => {
  test('is taken once, and known after that', async () => {
    await using desk = await intakeDesk()
    const { story } = openScene()
    expect(await desk.take(...story)).toEqual(story.map(() => 'taken'))
    expect(await desk.take(...story)).toEqual(story.map(() => 'known'))
    expect(desk.ids()).toEqual(idsOf(story))
  })

  test('is taken once also where it comes twice in one message, or in two at a time', async () => {
    await using desk = await intakeDesk()
    const { story } = openScene()
    const twice = await Promise.all([desk.take(...story, ...story), desk.take(...story)])
    expect(twice.flat().filter((one) => one === 'taken')).toHaveLength(story.length)
    expect(new Set(twice.flat())).toEqual(new Set(['taken', 'known']))
    expect(desk.ids()).toEqual(idsOf(story))
  })

  test('waits for what it cites, and is looked at again when that comes', async () => {
    await using desk = await intakeDesk()
    const { story, backend, claims, repos } = openScene()
    const contract = backend.propose(claims.backend, at(10), { parties: [repos.frontend] })
    const next = backend.revise(claims.backend, contract, { at: at(11) })
    expect(await desk.take(next, contract)).toEqual(['waits', 'waits'])
    expect(desk.ids()).toEqual([])
    await desk.take(...story)
    expect(desk.ids()).toEqual(idsOf([...story, contract, next]))
  })

  test('in any order adds up to the same', async () => {
    const { story } = openScene()
    await using forwards = await intakeDesk()
    await using backwards = await intakeDesk()
    for (const one of story) await forwards.take(one)
    for (const one of [...story].reverse()) await backwards.take(one)
    expect(backwards.ids()).toEqual(forwards.ids())
  })

  test('is looked at again also where what it cites comes while its signature is checked', async () => {
    const held: (() => void)[] = []
    const { story, backend, claims, repos } = openScene()
    const contract = backend.propose(claims.backend, at(10), { parties: [repos.frontend] })
    const next = backend.revise(claims.backend, contract, { at: at(11) })
    await using desk = await intakeDesk({
      verifyText: async (text) => {
        if (text.endsWith(next.id)) await new Promise<void>((resolve) => held.push(resolve))
        return true
      },
    })
    await desk.take(...story)
    const waiting = desk.take(next)
    while (held.length === 0) await new Promise(setImmediate)
    await desk.take(contract)
    for (const go of held) go()
    expect(await waiting).toEqual(['taken'])
  })

  test('is looked at again also where it comes while the signature of what it cites is checked', async () => {
    const held: (() => void)[] = []
    const { story, backend, claims, repos } = openScene()
    const contract = backend.propose(claims.backend, at(10), { parties: [repos.frontend] })
    const next = backend.revise(claims.backend, contract, { at: at(11) })
    await using desk = await intakeDesk({
      verifyText: async (text) => {
        if (text.endsWith(contract.id)) await new Promise<void>((resolve) => held.push(resolve))
        return true
      },
    })
    await desk.take(...story)
    const cited = desk.take(contract)
    while (held.length === 0) await new Promise(setImmediate)
    expect(await desk.take(next)).toEqual(['waits'])
    for (const go of held) go()
    expect(await cited).toEqual(['taken'])
    expect(desk.ids()).toContain(next.id)
    expect(desk.intake.waitingOf(PEER.agentId).count).toBe(0)
  })

  test('is read on while signatures are checked, of which only so many are under way at a time', async () => {
    const { story, backend, claims, repos } = openScene()
    const contracts = Array.from({ length: 200 }, (_, number) =>
      backend.propose(claims.backend, at(10 + number), { parties: [repos.frontend] }),
    )
    const counts = { underWay: 0, most: 0, atFirstPause: -1 }
    await using desk = await intakeDesk({
      verifyText: async () => {
        counts.most = Math.max(counts.most, ++counts.underWay)
        await new Promise(setImmediate)
        counts.underWay--
        return true
      },
      pause: async () => {
        if (counts.atFirstPause === -1) counts.atFirstPause = counts.underWay
      },
    })
    expect(await desk.take(...story, ...contracts)).toEqual([...story, ...contracts].map(() => 'taken'))
    expect(counts.atFirstPause).toBeGreaterThan(0)
    expect(counts.most).toBe(64)
  })

  test('is remembered as heard from it, also what was known', async () => {
    await using desk = await intakeDesk()
    const { story } = openScene()
    await desk.intake.take(story.map(textOf), { caller: { ...PEER, agentId: 'other' }, bootId: 'first' })
    await desk.take(...story)
    const { agentId } = PEER
    for (const { statement } of desk.store.statements())
      expect(desk.heard.isFrom({ agentId, bootId: 'first' }, statement)).toBe(true)
  })
})

test('what had waited for it is not remembered as heard from who sent that, who may not have it', async () => {
  await using desk = await intakeDesk()
  const { story, backend, claims, repos } = openScene()
  const contract = backend.propose(claims.backend, at(10), { parties: [repos.frontend] })
  const other = { agentId: 'other', bootId: 'first' }
  await desk.take(contract)
  await desk.intake.take(story.map(textOf), { caller: { ...PEER, agentId: 'other' }, bootId: 'first' })
  expect(desk.ids()).toContain(contract.id)
  const fromOther = Array.from(desk.store.statements(), ({ statement }) => statement).filter((one) =>
    desk.heard.isFrom(other, one),
  )
  expect(idsOf(fromOther)).toEqual(idsOf(story))
})

describe('refused with the reason, once for each', () => {
  test('a statement that somebody else signed, while all others of its message are taken', async () => {
    await using desk = await intakeDesk()
    const { story, frontend, claims, project } = openScene()
    const shared = frontend.share(claims.frontend, at(10))
    const outcomes = await desk.take(...story, forged(shared))
    expect(outcomes.slice(0, -1)).toEqual(story.map(() => 'taken'))
    expect(outcomes.at(-1)).toBe('refused: sig is not by the key that it speaks under')
    expect(desk.store.view.projects.get(project)?.packets.size).toBe(0)
    await desk.take(forged(shared))
    expect(desk.refusals.of(PEER.agentId)).toMatchObject({ count: 1, newest: [{ id: shared.id }] })
    expect(await desk.take(shared)).toEqual(['taken'])
    expect(desk.refusals.of(PEER.agentId).count).toBe(1)
  })

  test('what cites a statement that somebody else signed waits for the true one', async () => {
    await using desk = await intakeDesk()
    const { story, backend, claims, repos } = openScene()
    await desk.take(...story)
    const contract = backend.propose(claims.backend, at(10), { parties: [repos.frontend] })
    const next = backend.revise(claims.backend, contract, { at: at(11) })
    expect(await desk.take(forged(contract), next)).toEqual([expect.stringContaining('sig'), 'waits'])
    expect(await desk.take(contract)).toEqual(['taken'])
    expect(desk.ids()).toContain(next.id)
  })

  test('a forged one that waits takes nobody’s place', async () => {
    await using desk = await intakeDesk()
    const { story, backend, claims, repos } = openScene()
    const contract = backend.propose(claims.backend, at(10), { parties: [repos.frontend] })
    expect(await desk.take(forged(contract), contract)).toEqual(['waits', 'waits'])
    await desk.take(...story)
    expect(desk.ids()).toContain(contract.id)
    expect(desk.refusals.of(PEER.agentId).count).toBe(1)
  })

  test('a key that is handed over without the proof of the new one', async () => {
    await using desk = await intakeDesk()
    const { story, frontend, claims } = openScene()
    const next = new Author('the next frontend')
    const rotation = frontend.rotate(claims.frontend, next, { at: at(10) })
    const { sig: _, id: __, ...said } = rotation
    const unproven = frontend.say({ ...said, body: { ...rotation.body, proof: 'q'.repeat(86) } })
    await desk.take(...story)
    expect(await desk.take(unproven)).toEqual(['refused: sig is not by the key that it speaks under'])
    expect(await desk.take(rotation)).toEqual(['taken'])
  })

  test('another text for an id, and what is no statement', async () => {
    await using desk = await intakeDesk()
    const { story, founding } = openScene()
    const spaced = textOf(founding).replace('{', '{ ')
    const altered = textOf({ ...founding, body: { ...founding.body, name: 'Mine' } })
    expect(await desk.takeTexts(spaced, altered, 'not JSON')).toEqual([
      'refused: is not written in canonical form',
      'refused: id is not the hash of what it says',
      'refused: is not JSON',
    ])
    expect(await desk.take(...story)).toEqual(story.map(() => 'taken'))
  })

  test('what is too far ahead, until the clock here has come that far', async () => {
    let now = at(0)
    await using desk = await intakeDesk({ now: () => now })
    const { founding } = openScene()
    const early = new Author('early').found(at(LIMITS.clockAheadSeconds + 1))
    expect(await desk.take(founding, early)).toEqual([
      'taken',
      'refused: at is more than 5 minutes ahead of this clock',
    ])
    expect(desk.refusals.of(PEER.agentId).count).toBe(1)
    now = at(2)
    expect(await desk.take(early)).toEqual(['taken'])
    expect(desk.refusals.of(PEER.agentId).count).toBe(0)
  })

  test('however many there are, and what is told of them has a bound', async () => {
    await using desk = await intakeDesk()
    const { story } = openScene()
    const junk = Array.from({ length: 5000 }, (_, index) => `{"junk":${index}}`)
    await desk.takeTexts(...junk)
    expect(desk.refusals.of(PEER.agentId)).toMatchObject({ count: 5000 })
    expect(desk.refusals.of(PEER.agentId).newest).toHaveLength(100)
    expect(await desk.take(...story)).toEqual(story.map(() => 'taken'))
  })

  test('claims of ever more keys that nobody confirms, but not those that the founder confirms', async () => {
    await using desk = await intakeDesk()
    const { story, backend, founding, project } = openScene()
    await desk.take(...story)
    const claims = Array.from({ length: LIMITS.unconfirmedKeys + 5 }, (_, index) =>
      new Author(`k${index}`).claim(project, `r${index}`, at(20, index)),
    )
    const outcomes = await desk.take(...claims)
    const refused = claims.filter((_, index) => outcomes[index]?.startsWith('refused: too much'))
    expect(refused.length).toBeGreaterThanOrEqual(5)
    const [claim] = refused
    if (claim === undefined) throw new Error('none was refused')
    // Who signed this one is not known before the claim is here that it is said under.
    expect(await desk.take(backend.confirm(claim, claim, at(29)))).toEqual(['waits'])
    expect(await desk.take(claim)).toEqual([expect.stringContaining('too much')])
    expect(await desk.take(backend.confirm(founding, claim, at(30)))).toEqual(['waits'])
    expect(await desk.take(claim)).toEqual(['taken'])
  })

  test('claims that are too much, but not the settlement that ends them', async () => {
    await using desk = await intakeDesk()
    const { story, backend, founding, project } = openScene()
    await desk.take(...story)
    const eve = new Author('eve')
    const claims = Array.from({ length: LIMITS.keyClaims + 1 }, (_, index) =>
      eve.claim(project, 'eve', at(20, index)),
    )
    const [refused] = (await desk.take(...claims)).flatMap((outcome, index) =>
      outcome.startsWith('refused: too much') ? (claims[index] ?? []) : [],
    )
    if (refused === undefined) throw new Error('none was refused')
    const repo = refused.about
    expect(await desk.take(backend.settle(founding, at(30), { repo, ended: [[refused, null]] }))).toEqual([
      'taken',
    ])
    expect(desk.store.view.projects.get(project)?.repos.get(repo)?.holder).toBeUndefined()
  })

  test('but never the own key of a peer that was let in', async () => {
    await using desk = await intakeDesk()
    const { story, project } = openScene()
    await desk.take(...story)
    const invented = Array.from({ length: LIMITS.unconfirmedKeys }, (_, index) =>
      new Author(`k${index}`).claim(project, `r${index}`, at(20, index)),
    )
    await desk.take(...invented)
    const newcomer = new Author('newcomer')
    const claim = newcomer.claim(project, 'newcomer', at(30))
    expect(await desk.take(claim)).toEqual([expect.stringMatching('^refused: too much')])
    await desk.admitPeer(newcomer.publicKey)
    expect(await desk.take(claim)).toEqual(['taken'])
  })

  test('more claims, names and releases of one key than others have to look at', async () => {
    await using desk = await intakeDesk()
    const { story, project } = openScene()
    await desk.take(...story)
    const eve = new Author('eve')
    const claims = Array.from({ length: LIMITS.keyClaims + 1 }, (_, index) =>
      eve.claim(project, 'eve', at(20, index)),
    )
    expect((await desk.take(...claims)).at(-1)).toMatch('refused: too much: its key has claimed')
    const [first] = claims
    if (first === undefined) throw new Error('nothing was claimed')
    expect(await desk.take(eve.share(first, at(30)))).toEqual(['taken'])
  })

  test('not for being too much where what a key said comes twice in one message, or waited here', async () => {
    await using desk = await intakeDesk()
    const { story, project } = openScene()
    const eve = new Author('eve')
    const claims = Array.from({ length: LIMITS.keyClaims }, (_, index) =>
      eve.claim(project, 'eve', at(20, index)),
    )
    const [waiting, others] = [claims.slice(0, 100), claims.slice(100)]
    await desk.take(...waiting)
    const outcomes = await desk.take(...story, ...claims, ...others)
    expect(outcomes.filter((one) => one.startsWith('refused'))).toEqual([])
    expect(desk.ids()).toEqual(idsOf([...story, ...claims]))
  })
})

describe('a statement that is made to look like something else', () => {
  test('is taken for what it is where it names the id of another one behind its own', async () => {
    await using desk = await intakeDesk()
    const { story, backend, frontend, claims, repos } = openScene()
    const proposed = backend.propose(claims.backend, at(10), { parties: [repos.backend, repos.frontend] })
    await desk.take(...story, proposed)
    const {
      id: _,
      sig,
      key,
      ...agree
    } = frontend.answer(claims.frontend, proposed, {
      at: at(11),
      action: 'agree',
    })
    const disguised = { ...agree, zz: { id: proposed.id } }
    expect(await desk.take(frontend.say(disguised))).toEqual(['taken'])
    const found = desk.store.view.projects.get(proposed.project_id)
    expect(found?.contracts.get(proposed.about)?.status).toBe('agreed')
    expect(await desk.take(frontend.say(disguised))).toEqual(['known'])
  })

  test('waits for a statement whose id somebody gave to a project', async () => {
    let turns = 0
    const pause = async () => {
      if (++turns > 200) throw new Error('it is judged again and again')
    }
    await using desk = await intakeDesk({ pause })
    const { story, frontend, claims } = openScene()
    const id = 'a'.repeat(64)
    await desk.take(...story, new Author('eve').found(at(6), { of: id }))
    const answer = frontend.under(claims.frontend, {
      kind: 'answer',
      about: 'somewhere',
      at: at(11),
      body: { revision: id, action: 'agree' },
      content: { comment: '', suggested_change: null },
    })
    expect(await desk.take(answer)).toEqual(['waits'])
  })
})

describe('a content that was taken away', () => {
  async function redacted() {
    const desk = await intakeDesk()
    const { story, frontend, claims, project } = openScene()
    await desk.take(...story)
    const packet = frontend.share(claims.frontend, at(10))
    const redaction = frontend.redact(claims.frontend, packet, at(11))
    const content = () => desk.store.view.projects.get(project)?.packets.get(packet.about)?.content
    return { desk, packet, redaction, content }
  }

  test('is waited for though somebody else says that its author took it away, where that cannot be checked', async () => {
    const { desk, packet, redaction } = await redacted()
    // In a project that is not here, which goes by the id of what it takes away.
    const { id: _, sig: __, ...said } = redaction
    const pretended = new Author('eve').say({ ...said, project_id: packet.id })
    expect(await desk.take(pretended)).toEqual(['waits'])
    expect(await desk.take(withoutContent(packet))).toEqual(['waits'])
    expect(await desk.take(packet)).toEqual(['taken'])
    await desk[Symbol.asyncDispose]()
  })

  test('is taken away here too, and does not come back with one who has not heard of it', async () => {
    const { desk, packet, redaction, content } = await redacted()
    expect(await desk.take(packet, redaction)).toEqual(['taken', 'taken'])
    expect(content()).toBeNull()
    expect(await desk.take(packet)).toEqual(['known'])
    expect(content()).toBeNull()
    await desk[Symbol.asyncDispose]()
  })

  test('is not needed where its redaction comes with it, in either order', async () => {
    for (const order of ['first', 'last']) {
      const { desk, packet, redaction } = await redacted()
      const bare = withoutContent(packet)
      const sent = order === 'first' ? [redaction, bare] : [bare, redaction]
      expect(await desk.take(...sent)).toEqual(['taken', 'taken'])
      await desk[Symbol.asyncDispose]()
    }
  })

  test('is waited for where the redaction that comes with it is refused itself, in either order', async () => {
    for (const order of ['first', 'last']) {
      const { desk, packet, redaction } = await redacted()
      const { id: _, sig: __, ...said } = redaction
      const refused = 'refused: cites a packet about something else'
      const altered = new Author('frontend').say({ ...said, about: 'something-else' })
      const bare = withoutContent(packet)
      const sent = order === 'first' ? [altered, bare] : [bare, altered]
      expect((await desk.take(...sent)).toSorted()).toEqual([refused, 'waits'])
      expect(desk.ids()).not.toContain(packet.id)
      expect(await desk.take(packet)).toEqual(['taken'])
      await desk[Symbol.asyncDispose]()
    }
  })

  test('is waited for while nobody redacted it, whether its redaction comes before or after', async () => {
    for (const order of ['first', 'last']) {
      const { desk, packet, redaction } = await redacted()
      const bare = withoutContent(packet)
      const [one, other] = order === 'first' ? [redaction, bare] : [bare, redaction]
      expect(await desk.take(one)).toEqual(['waits'])
      expect(await desk.take(other)).toEqual(['taken'])
      expect(desk.ids()).toEqual(expect.arrayContaining([packet.id, redaction.id]))
      await desk[Symbol.asyncDispose]()
    }
  })
})

test('a peer that is shut out while its message is looked at has nothing taken', async () => {
  let go: () => void = () => {}
  await using desk = await intakeDesk({
    verifyText: () => new Promise((resolve) => (go = () => resolve(true))),
  })
  const { founding } = openScene()
  const { agentId } = PEER
  const peer = {
    agent_id: agentId,
    endpoint: 'http://127.0.0.1:1',
    repo_name: 'peer-app',
    trust: 'approved' as const,
    registered_at: at(0),
    last_seen: at(0),
  }
  await desk.store.commit(() => ({ result: 0, local: [{ table: 'peer', id: agentId, value: peer }] }))
  const taking = desk.take(founding)
  await new Promise(setImmediate)
  await desk.store.commit(() => ({
    result: 0,
    local: [{ table: 'peer', id: agentId, value: { ...peer, trust: 'revoked' as const } }],
  }))
  go()
  await expect(taking).rejects.toThrow()
  expect(desk.ids()).toEqual([])
})
