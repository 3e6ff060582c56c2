import { describe, expect, test } from 'vitest'
import { absorbRepo } from '../../src/domain/absorb.ts'
import { packetChange, repoChange } from '../../src/domain/change.ts'
import type { Repo, RepoForm, Shadow } from '../../src/domain/model.ts'
import { ownRepoForm } from '../../src/domain/plain-form.ts'
import { phraseContract, phrasePacket, phraseProject, phraseRepo } from '../../src/domain/plain-phrase.ts'
import { readRepo } from '../../src/domain/plain-repo.ts'
import { acknowledging, isDue, sending, showing } from '../../src/domain/plain-shadow.ts'
import { activeClaim } from '../../src/domain/repo.ts'
import { WireRepo } from '../../src/domain/wire.ts'
import { EARLIEST } from '../../src/protocol/stamp.ts'
import { contractModel, packetModel, projectModel, repoModel } from '../support/plain-peer-models.ts'
import {
  at,
  EMPTY_VIEW,
  implemented,
  negotiating,
  packet,
  project,
  repo,
  throughJson,
  update,
  viewOf,
} from './builders.ts'

const PLAIN = 'aid://example.com/plain@1.0.0'
const OTHER = 'aid://example.com/other@1.0.0'
const NAIVE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/

function stampsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stampsIn) : []
}

describe('what is said to a plain peer', () => {
  const contract = update(negotiating(), { path: '/you' }, at(3))
  const whole = phraseProject(
    viewOf({ repos: [repo()], contracts: [contract, implemented()], packets: [packet()] }),
    { isWhole: true },
  )

  test.each([
    ['a repo', repoModel, phraseRepo(repo(), project()), ['agent_id']],
    ['a contract', contractModel, phraseContract(contract), []],
    ['a contract with work', contractModel, phraseContract(implemented()), []],
    ['a packet', packetModel, phrasePacket(packet()), []],
  ])('%s has the keys that the reference knows, and no others', (_, model, phrased, more) => {
    const read = model.parse(throughJson(phrased)) as object
    expect(Object.keys(read).concat(more).sort()).toEqual(Object.keys(phrased).sort())
  })

  test('a project is one that the reference can read', () => {
    expect(projectModel.safeParse(throughJson(whole)).success).toBe(true)
  })

  test('every time in it is naive, with microseconds, however deep', () => {
    const stamps = stampsIn(whole)
    expect(stamps.length).toBeGreaterThan(10)
    expect(stamps.filter((stamp) => !NAIVE.test(stamp))).toEqual([])
  })

  test('a project never takes the place of one that the peer has', () => {
    expect(whole.updated_at < '1970-01-02').toBe(true)
  })
})

describe('a repo that a plain peer shows', () => {
  const claimed = (agent_id: string): Repo =>
    repo({
      claims: [
        { agent_id, claimed_at: at(1), released_at: null, endpoint: { value: 'http://a:1', at: at(1) } },
      ],
    })
  const knowing = (form: RepoForm): Shadow => ({ agent_id: PLAIN, shown: form, sent: null, at: EARLIEST })
  const see = (local: Repo, shown: object, shadow: Shadow | undefined) => {
    const given = WireRepo.parse(throughJson({ ...phraseRepo(local, project()), ...shown }))
    const wire = readRepo(given, { project: project(), local, shadow, now: at(60), agentId: PLAIN })
    return absorbRepo(viewOf({ repos: [local] }), throughJson(wire), { now: at(60) })
  }
  const mine = (local: Repo) => knowing(ownRepoForm(local, project()))

  test('as it was sent changes nothing', () => {
    expect(see(claimed(OTHER), {}, mine(claimed(OTHER))).status).toBe('skipped')
    expect(see(claimed(OTHER), {}, undefined).status).toBe('skipped')
  })

  test('with a claim of its own is claimed', () => {
    const { value } = see(repo(), { assigned_agent: PLAIN, agent_endpoint: 'http://p:1' }, mine(repo()))
    expect(activeClaim(value, project())).toMatchObject({
      agent_id: PLAIN,
      endpoint: { value: 'http://p:1' },
    })
  })

  test('with a claim that comes second stays with the first', () => {
    const { value } = see(claimed(OTHER), { assigned_agent: PLAIN }, mine(repo()))
    expect(activeClaim(value, project())?.agent_id).toBe(OTHER)
  })

  test('without a claim that it cannot have ended is not released', () => {
    const { value } = see(
      claimed(OTHER),
      { assigned_agent: null, agent_endpoint: null },
      mine(claimed(OTHER)),
    )
    expect(activeClaim(value, project())?.agent_id).toBe(OTHER)
  })

  test('with an old claim is not claimed again after its release', () => {
    const local = claimed(PLAIN)
    const released = { ...local, claims: local.claims.map((one) => ({ ...one, released_at: at(9) })) }
    const { value } = see(released, { assigned_agent: PLAIN, agent_endpoint: 'http://a:1' }, mine(local))
    expect(activeClaim(value, project())).toBeUndefined()
  })

  test('with an old claim of somebody else, which a late call of ours told it of, is as it is here', () => {
    const local = claimed(OTHER)
    const released = { ...local, claims: local.claims.map((one) => ({ ...one, released_at: at(9) })) }
    const shown = { assigned_agent: OTHER, agent_endpoint: 'http://a:1' }
    expect(see(released, shown, mine(released)).status).toBe('skipped')
  })

  test('at another endpoint has moved', () => {
    const local = claimed(PLAIN)
    const { value } = see(local, { agent_endpoint: 'http://b:2' }, mine(local))
    expect(activeClaim(value, project())?.endpoint.value).toBe('http://b:2')
  })

  test('described otherwise is described anew only by somebody who knew the old words', () => {
    const changed = { language: 'rust' }
    expect(see(repo(), changed, mine(repo())).value.about.value.language).toBe('rust')
    expect(see(repo(), changed, undefined).value.about.value.language).toBe('go')
  })

  test('described as it is here by now, by way of another daemon, is not described anew', () => {
    const before = repo()
    const { value } = before.about
    const now = repo({ about: { value: { ...value, language: 'rust' }, at: at(2) } })
    expect(see(now, {}, mine(before)).status).toBe('skipped')
  })
})

describe('what a plain peer is known to hold', () => {
  const found = viewOf({ repos: [repo()], packets: [packet()] })
  const name = { kind: 'repo', project_id: 'p1', id: repo().repo_id } as const
  const form = ownRepoForm(repo(), project())
  const holding = (value: Shadow | null) => ({
    ...EMPTY_VIEW,
    shadows: { ...EMPTY_VIEW.shadows, get: () => value ?? undefined },
  })

  test('is due until it is shown or acknowledged, and again when it changes', () => {
    const entity = repoChange('p1', repo())
    expect(isDue(entity, found, undefined)).toBe(true)
    const sent = sending(EMPTY_VIEW, PLAIN, name, form).value as Shadow
    expect(isDue(entity, found, sent)).toBe(true)
    const [acknowledged] = acknowledging(holding(sent), PLAIN, name, form)
    expect(isDue(entity, found, acknowledged?.value as Shadow)).toBe(false)
    const renamed = repo({ about: { value: { ...repo().about.value, role: 'mobile' }, at: at(5) } })
    expect(isDue(repoChange('p1', renamed), found, acknowledged?.value as Shadow)).toBe(true)
  })

  test('a packet is sent once, whatever becomes of it', () => {
    const shadow: Shadow = {
      agent_id: PLAIN,
      shown: { kind: 'packet', hash: 'another' },
      sent: null,
      at: EARLIEST,
    }
    expect(isDue(packetChange('p1', packet()), found, shadow)).toBe(false)
  })

  test('what it shows while something is on its way to it is remembered beside that', () => {
    const sent = sending(EMPTY_VIEW, PLAIN, name, form).value as Shadow
    const other = { ...form, agent: PLAIN }
    const [shown] = showing(sent, { agentId: PLAIN, name, form: other, at: at(3) })
    expect(shown?.value).toMatchObject({ shown: other, sent: form, at: at(3) })
    const [again] = showing(shown?.value as Shadow, { agentId: PLAIN, name, form, at: at(4) })
    expect(again?.value).toMatchObject({ shown: form, sent: null })
    expect(acknowledging(holding(again?.value as Shadow), PLAIN, name, form)).toEqual([])
    expect(showing(again?.value as Shadow, { agentId: PLAIN, name, form, at: at(4) })).toEqual([])
  })
})
