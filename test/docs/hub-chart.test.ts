import { expect, test } from 'vitest'
import { type SpreadSeries, spreadChart } from '../../bench/hub/chart.ts'

const MEASURED: SpreadSeries = {
  hub: [
    { daemons: 5, oneMs: 20, manyMs: 1500 },
    { daemons: 200, oneMs: 80, manyMs: 40_000 },
  ],
  mesh: [{ daemons: 5, oneMs: 10, manyMs: 1000 }],
  writes: 1000,
}

/** The places of the dots of a line, from left to right: first those of one write, then those of many. */
const dotsOf = (svg: string, name: 'hub' | 'mesh'): [number, number][] =>
  Array.from(
    svg.matchAll(new RegExp(`class="${name}-dot" cx="([\\d.]+)" cy="([\\d.]+)"`, 'g')),
    ([, x, y]) => [Number(x), Number(y)],
  )

test('the chart of the hub has a dot for each measurement, later ones further right, longer ones higher', () => {
  const svg = spreadChart(MEASURED)
  const [oneOfFew, oneOfMany, manyOfFew, manyOfMany] = dotsOf(svg, 'hub')
  expect(oneOfMany?.[0]).toBeGreaterThan(oneOfFew?.[0] ?? 0)
  expect(oneOfMany?.[1]).toBeLessThan(oneOfFew?.[1] ?? 0)
  expect(manyOfMany?.[1]).toBeLessThan(manyOfFew?.[1] ?? 0)
  const [oneInMesh, manyInMesh] = dotsOf(svg, 'mesh')
  expect(oneInMesh?.[0]).toBe(oneOfFew?.[0])
  expect(manyInMesh?.[0]).toBe(manyOfFew?.[0])
})

test('the chart says in words what it shows, for whoever does not see it', () => {
  const svg = spreadChart(MEASURED)
  expect(svg).toContain('200 daemons on a hub: one write 80 ms, 1000 writes 40.0 s')
  expect(svg).toContain('5 daemons in a mesh: one write 10 ms, 1000 writes 1.0 s')
})
