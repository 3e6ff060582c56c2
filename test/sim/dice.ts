import { type Random, seededRandom } from '../support/simulated/disk.ts'

/** Chance, all of it from one seed. */
export class Dice {
  readonly random: Random

  constructor(seed: number) {
    this.random = seededRandom(Math.imul(seed + 1, 0x9e3779b1))
  }

  chance(probability: number): boolean {
    return this.random() < probability
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.random() * (high - low + 1))
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.random() * items.length)]
    if (item === undefined) throw new TypeError('nothing to pick from')
    return item
  }

  /** One of the names, each as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as [Name, number][]
    let left = this.random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) {
      left -= weight
      if (left < 0) return name
    }
    throw new TypeError('no weights')
  }
}
