import { describe, expect, test } from 'vitest'
import { type Statement, textOf } from '../../src/domain/statements/statement.ts'
import { at } from '../domain/statements/at.ts'
import { Author, nonceOf } from '../domain/statements/author.ts'
import { openScene } from '../domain/statements/scene.ts'
import { comparing } from './comparing.ts'

/** Peers that lie when a daemon compares itself with them. */

const taken = () => ({ status: 'taken' })

describe('a peer that was only approved by hand, answering a comparison with what is not its own', () => {
  async function scene() {
    const opened = openScene()
    const { backend, claims, repos, story, project } = opened
    const proposed = backend.propose(claims.backend, at(10), { parties: [repos.backend, repos.frontend] })
    const eve = new Author('eve')
    const own = eve.claim(project, 'eve', at(12))
    const peer = { shows: [] as Statement[], outcomeOf: taken }
    const daemon = await comparing(peer)
    await daemon.take(...story, proposed)
    const state = () => {
      const found = daemon.store.view.projects.get(project)
      return {
        project: found?.project,
        repos: Object.values(repos).map((id) => found?.repos.get(id)),
        contract: { ...found?.contracts.get(proposed.about) },
      }
    }
    return { ...opened, proposed, eve, own, peer, daemon, state }
  }

  const altered = (one: Statement): Statement => ({
    ...one,
    content: { salt: nonceOf('other'), value: { value: { path: '/evil' }, note: '' } },
  })

  test.each<[string, (given: Awaited<ReturnType<typeof scene>>) => Statement[]]>([
    [
      'a version in the name of another repo',
      ({ eve, claims, proposed }) => [eve.revise(claims.backend, proposed, { at: at(20) })],
    ],
    ['other content under the id of another one’s version', ({ proposed }) => [altered(proposed)]],
    [
      'an answer under another one’s claim',
      ({ eve, claims, proposed }) => [eve.answer(claims.frontend, proposed, { at: at(20), action: 'agree' })],
    ],
    [
      'a release in another one’s key',
      ({ eve, claims }) => [{ ...eve.release(claims.frontend, at(20)), key: claims.frontend.key }],
    ],
    [
      'a confirmation of its own claim',
      ({ eve, own, founding }) => [own, eve.confirm(founding, own, at(20))],
    ],
    [
      'an older founding of the same project',
      ({ eve, founding, project }) => [
        { ...eve.found(at(0)), project_id: project, about: project, id: founding.id.replace(/^./, 'f') },
      ],
    ],
  ])('cannot bring %s', async (_, forge) => {
    const given = await scene()
    const { daemon, peer, own, state } = given
    const before = state()
    const forged = forge(given).filter(({ id }) => id !== own.id)
    peer.shows = [own, ...forged]
    await daemon.compare()
    expect(state()).toEqual(before)
    const kept = daemon.kept(given.project)
    expect(kept.some(({ id }) => id === own.id)).toBe(true)
    expect(kept.filter(({ key }) => key === given.eve.key)).toEqual([own])
    await daemon.store[Symbol.asyncDispose]()
  })

  test('brings what it signed itself, and no more than it was asked for', async () => {
    const { daemon, peer, eve, own, project, state } = await scene()
    const before = state()
    const said = eve.share(own, at(13))
    const foreign = new Author('stranger').found(at(1), { nonce: nonceOf('foreign') })
    Object.assign(peer, { shows: [own], gives: () => [own, said, foreign].map(textOf) })
    await daemon.compare()
    expect(daemon.kept(project).filter(({ key }) => key === eve.key)).toEqual([own])
    expect(daemon.store.view.projects.get(foreign.project_id)).toBeUndefined()
    expect(state()).toEqual(before)
    await daemon.store[Symbol.asyncDispose]()
  })
})

describe('a peer that shows nothing of what it says it took', () => {
  test('is handed everything again ever more rarely', async () => {
    const { story } = openScene()
    await using daemon = await comparing({ shows: [], outcomeOf: taken })
    await daemon.take(...story)
    for (let times = 0; times < 20; times++) await daemon.compare()
    const full = daemon.handedOver.flatMap((ids, index) => (ids.length > 0 ? [index + 1] : []))
    expect(full).toEqual([1, 2, 4, 8, 16])
  })

  test('gets what is new all the same', async () => {
    const { story, backend, claims } = openScene()
    await using daemon = await comparing({ shows: [], outcomeOf: taken })
    await daemon.take(...story)
    for (let times = 0; times < 4; times++) await daemon.compare()
    const news = backend.share(claims.backend, at(30))
    await daemon.take(news)
    await daemon.compare()
    expect(daemon.handedOver.at(-1)).toEqual([news.id])
  })
})

describe('a key that has said too much for a peer', () => {
  const refused = {
    status: 'refused',
    reason: 'too much: its key has said 1 things in this project already',
    retryable: true,
  }

  test('has its excess handed over ever more rarely, and the words of others at once', async () => {
    const { story, backend, claims, frontend } = openScene()
    const flood = Array.from({ length: 30 }, (_, index) =>
      frontend.share(claims.frontend, at(20), { nonce: nonceOf(`${index}`) }),
    )
    const peer = { shows: [...story], outcomeOf: () => refused }
    await using daemon = await comparing(peer)
    await daemon.take(...story, ...flood)
    for (let times = 0; times < 3; times++) await daemon.compare()
    const news = backend.share(claims.backend, at(30))
    await daemon.take(news)
    for (let times = 3; times < 7; times++) await daemon.compare()
    const excess = new Set(flood.map(({ id }) => id))
    const times = daemon.handedOver.flatMap((ids, index) =>
      ids.some((id) => excess.has(id)) ? [index + 1] : [],
    )
    expect(times).toEqual([1, 2, 4])
  })

  test('is not asked for again what was too much here', async () => {
    const { story, frontend, claims } = openScene()
    const peer = { shows: [...story], outcomeOf: taken }
    await using daemon = await comparing(peer)
    await daemon.take(...story)
    const { said } = daemon.store.view.projects.get(story[0]?.project_id ?? '') ?? {}
    Object.assign(said as object, { volumeOf: () => ({ count: 1_000_000, bytes: 0 }) })
    peer.shows = [...story, frontend.share(claims.frontend, at(20))]
    await daemon.compare()
    await daemon.compare()
    expect(daemon.asked.filter((method) => method === 'cacp/sync/fetch')).toHaveLength(1)
  })
})
