import { Comparing } from '../../src/engine/replicate/hub/comparing.ts'
import { Offers } from '../../src/engine/replicate/hub/offers.ts'
import { Positions } from '../../src/engine/replicate/hub/positions.ts'
import { replacingMethod } from './bends.ts'
import type { PlantedBug } from './planting.ts'

/** Comparing mends what goes wrong before it. */
const withoutComparing = (): Disposable => replacingMethod(Comparing.prototype, 'changed', () => () => {})

/** Mistakes in what is read from a hub and offered to it. */
export const PLANTED_HUB_BUGS: Record<string, PlantedBug> = {
  'digests are never compared with the hub': {
    mode: 'hub',
    firstSeed: 2,
    bends: () => ({ install: withoutComparing }),
  },

  'a hub that was wiped or restored is not noticed': {
    mode: 'hub',
    without: withoutComparing,
    bends: () => ({
      install: () =>
        replacingMethod(
          Positions.prototype,
          'goOnWith',
          (real) =>
            async function (this: Positions, states, connection) {
              return this.of('facts') === 0 ? real.call(this, states, connection) : 'same'
            },
        ),
    }),
  },

  'a hub that was wiped is read again, and not offered what it lost': {
    mode: 'hub',
    firstSeed: 18,
    without: withoutComparing,
    bends: () => ({
      install: () =>
        replacingMethod(
          Positions.prototype,
          'goOnWith',
          (real) =>
            async function (this: Positions, states, connection) {
              const found = await real.call(this, states, connection)
              return found === 'wiped' ? 'same' : found
            },
        ),
    }),
  },

  'what others said is never offered': {
    mode: 'hub',
    firstSeed: 2,
    bends: () => ({
      install: () =>
        replacingMethod(
          Offers.prototype,
          'due',
          (real) =>
            function (this: Offers) {
              return real
                .call(this)
                .map(([projectId, offers]) => [projectId, offers.filter(({ isOwn }) => isOwn)] as const)
            },
        ),
    }),
  },

  'what was published counts as there before it was read': {
    mode: 'hub',
    firstSeed: 7,
    without: withoutComparing,
    bends: () => ({
      install: () =>
        replacingMethod(
          Offers.prototype,
          'published',
          (real) =>
            function (this: Offers, offer, sequence) {
              real.call(this, offer, sequence, true)
            },
        ),
    }),
  },

  'whatever was read counts as seen, though it was refused': {
    mode: 'hub',
    firstSeed: 21,
    without: withoutComparing,
    bends: () => ({
      install: () =>
        replacingMethod(
          Offers.prototype,
          'arrived',
          (real) =>
            function (this: Offers, messages) {
              real.call(
                this,
                messages.map((one) => ({ ...one, isRefused: false })),
              )
            },
        ),
    }),
  },
}
