import { describe, expect, test } from 'vitest'
import {
  connectNetworks,
  NetworkNamespace,
  silenceNames,
  WITHOUT_NAMESPACES,
} from '../support/network/namespace.ts'
import { Inhabitant } from './inhabitant.ts'

const BOUND = { timeout: 60_000, interval: 200 }
/** Names that the hosts file knows, and to which no route leads. */
const NOWHERE = {
  'away.example': '192.0.2.7',
  'away6.example': '2001:db8::7',
  'dead.example': '127.255.255.255',
}
const NAMES = { ...NOWHERE, 'backend.example': '10.9.0.1', 'frontend.example': '10.9.0.2' }
/** In a network of its own every port is free. */
const calledAs = (name: string) => [
  ...['--host', '0.0.0.0', '--port', '8443', '--public-url', `https://${name}:8443`],
]
/** Its key and certificate are as good as any: nobody will be there to show others. */
const invite = (name: string) =>
  `https://${name}:8443/pair#${'s'.repeat(43)}.${'k'.repeat(43)}.${'ab'.repeat(32)}`

describe.skipIf(WITHOUT_NAMESPACES !== undefined)(
  `without a network (${WITHOUT_NAMESPACES ?? 'in namespaces'})`,
  () => {
    test.each(Object.keys(NOWHERE))(
      'no call to %s ends the daemon, and each says that nobody can be reached',
      async (name) => {
        await using network = await NetworkNamespace.open(NOWHERE)
        const exchange = ['--adp-exchange', `https://${name}:8090`, '--register-adp']
        await using backend = await Inhabitant.start(network, 'backend', exchange)
        const there = `https://${name}:8443`
        const said = `${there} cannot be reached: E`

        expect(await backend.failureOf('join', invite(name))).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(said),
        })
        for (const words of [
          ['peers', 'add', there],
          ['work', 'send', there, 'echo', '--param', 'text=hello', '--wait'],
          ['discover', 'checkout'],
        ])
          expect(await backend.failureOf(...words)).toMatchObject({
            code: 1,
            stderr: expect.stringContaining(`${name}:`),
          })
        await backend.call('cacp/project/create', { name: 'Auth', objective: 'o' })
        expect(await backend.projects()).toEqual(['Auth'])
        expect(backend.ending).toBeUndefined()
        expect(await backend.stop()).toBe(0)
      },
      120_000,
    )

    test('where even this machine cannot be reached, commands say so, and go on when it can', async () => {
      await using network = await NetworkNamespace.open(NOWHERE)
      await using backend = await Inhabitant.start(network, 'backend')
      await network.ip('addr del 127.0.0.1/8 dev lo')
      expect(await backend.failureOf('project', 'list')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`No daemon answers at ${backend.url} (ENETUNREACH)`),
      })
      await network.ip('addr add 127.0.0.1/8 dev lo')
      expect(JSON.parse(await backend.cacpd('project', 'list', '--json'))).toMatchObject({ projects: [] })
    }, 60_000)

    test('a name that nobody finds is given up in time, and not asked for anew while the system still looks', async () => {
      await using network = await NetworkNamespace.open(NOWHERE)
      await using names = await silenceNames(network)
      await using backend = await Inhabitant.start(network, 'backend')
      const stderr = expect.stringContaining(
        'https://unheard.example is not called: its name was not found in time',
      )
      expect(await backend.failureOf('peers', 'add', 'https://unheard.example')).toEqual({ code: 1, stderr })
      expect(await backend.failureOf('peers', 'add', 'https://unheard.example')).toEqual({ code: 1, stderr })
      // For its addresses of both kinds.
      expect(names.asked()).toBe(2)
    }, 60_000)

    test('a peer that says it is where nobody gets to ends no daemon, now or at the next start', async () => {
      await using here = await NetworkNamespace.open(NAMES)
      await using there = await NetworkNamespace.open(NAMES)
      await connectNetworks([here, '10.9.0.1'], [there, '10.9.0.2'])
      await using backend = await Inhabitant.start(here, 'backend', calledAs('backend.example'))
      await using frontend = await Inhabitant.start(there, 'frontend', calledAs('away.example'))
      await frontend.cacpd('join', await backend.cacpd('invite'))
      const error = async () => (await backend.peer()).lastError
      await expect.poll(error, BOUND).toContain('https://away.example:8443 cannot be reached: ENETUNREACH')
      await backend.restart()
      await expect.poll(error, BOUND).toContain('https://away.example:8443 cannot be reached: ENETUNREACH')
      expect(backend.ending).toBeUndefined()
    }, 120_000)

    test('a network that goes and comes back ends no daemon, and both have everything soon after', async () => {
      await using here = await NetworkNamespace.open(NAMES)
      await using there = await NetworkNamespace.open(NAMES)
      await connectNetworks([here, '10.9.0.1'], [there, '10.9.0.2'])
      await using backend = await Inhabitant.start(here, 'backend', calledAs('backend.example'))
      await using frontend = await Inhabitant.start(there, 'frontend', calledAs('frontend.example'))
      await frontend.cacpd('join', await backend.cacpd('invite'))
      await create(backend, 'Before')
      await expect.poll(() => frontend.projects(), BOUND).toEqual(['Before'])

      await there.ip('link set cable down')
      await create(backend, 'Here')
      await create(frontend, 'There')
      await expect.poll(async () => (await backend.peer()).health, BOUND).toBe('paused')
      await frontend.restart()
      await expect.poll(async () => (await frontend.peer()).health, BOUND).toBe('paused')
      expect([backend.ending, frontend.ending]).toEqual([undefined, undefined])
      expect(await backend.projects()).toEqual(['Before', 'Here'])

      await there.ip('link set cable up')
      for (const one of [backend, frontend])
        await expect.poll(() => one.projects(), BOUND).toEqual(['Before', 'Here', 'There'])
      await expect.poll(async () => (await backend.peer()).health, BOUND).toBe('healthy')
    }, 180_000)
  },
)

const create = (at: Inhabitant, name: string) => at.call('cacp/project/create', { name, objective: 'o' })
