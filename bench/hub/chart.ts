/** What is drawn: how long until all daemons have it, by how many daemons there are. */
export interface SpreadSeries {
  readonly hub: readonly SpreadPoint[]
  readonly mesh: readonly SpreadPoint[]
  /** How many writes `manyMs` is about. */
  readonly writes: number
}

export interface SpreadPoint {
  readonly daemons: number
  readonly oneMs: number
  readonly manyMs: number
}

const PANEL = { width: 300, height: 180, left: 50, top: 50, gap: 90 }
const SIZE = { width: 800, height: 285 }

/** Two panels side by side, one write and many; both axes begin where nothing is hidden. */
export function spreadChart({ hub, mesh, writes }: SpreadSeries): string {
  const count = writes.toLocaleString('en-US')
  const lines = (pick: (point: SpreadPoint) => number): Lines => ({
    hub: hub.map((one) => ({ x: one.daemons, y: pick(one) })),
    mesh: mesh.map((one) => ({ x: one.daemons, y: pick(one) })),
  })
  const second = PANEL.left + PANEL.width + PANEL.gap
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-labelledby="title about" font-family="system-ui, sans-serif" font-size="13">
  <title id="title">Time until all daemons have what one was told</title>
  <desc id="about">${inWords({ hub, mesh, writes })}</desc>
  <style>
    text { fill: #1f2328 }
    .quiet { fill: #59636e; font-size: 12px }
    .axis { fill: none; stroke: #818b98; stroke-width: 1 }
    .grid { fill: none; stroke: #818b98; stroke-width: 0.5; stroke-dasharray: 2 4 }
    .hub { fill: none; stroke: #0969da; stroke-width: 2 }
    .mesh { fill: none; stroke: #bc4c00; stroke-width: 2 }
    .hub-dot { fill: #0969da }
    .mesh-dot { fill: #bc4c00 }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc }
      .quiet { fill: #9198a1 }
      .hub { stroke: #4493f8 }
      .mesh { stroke: #f0883e }
      .hub-dot { fill: #4493f8 }
      .mesh-dot { fill: #f0883e }
    }
  </style>
${panel(PANEL.left, { title: 'one write, in milliseconds', ...lines(({ oneMs }) => oneMs) })}
${panel(second, { title: `${count} writes, in seconds`, ...lines(({ manyMs }) => manyMs / 1000) })}
</svg>
`
}

interface Point {
  readonly x: number
  readonly y: number
}

interface Lines {
  readonly hub: readonly Point[]
  readonly mesh: readonly Point[]
}

function panel(left: number, { title, hub, mesh }: Lines & { title: string }): string {
  const { width, height, top } = PANEL
  const all = [...hub, ...mesh]
  const sizes = Array.from(new Set(all.map(({ x }) => x))).sort((a, b) => a - b)
  const [least = 1, most = 1] = [sizes[0], sizes.at(-1)]
  const step = roundStep(Math.max(...all.map(({ y }) => y)) / 4)
  const steps = Math.ceil(Math.max(...all.map(({ y }) => y)) / step)
  // Each doubling of the daemons is as wide as every other.
  const across = (x: number) => left + (width * Math.log(x / least)) / Math.log(Math.max(most / least, 2))
  const down = (y: number) => top + height - (height * y) / (step * steps)
  const bottom = top + height
  const grid = Array.from({ length: steps }, (_, index) => {
    const value = step * (index + 1)
    return `  <path class="grid" d="M${left} ${at(down(value))}h${width}"/><text class="quiet" x="${left - 8}" y="${at(down(value) + 4)}" text-anchor="end">${tidy(value)}</text>`
  })
  const ticks = sizes.map(
    (x) => `  <text class="quiet" x="${at(across(x))}" y="${bottom + 18}" text-anchor="middle">${x}</text>`,
  )
  const drawn = (name: 'hub' | 'mesh', points: readonly Point[]): string[] => {
    const path = points
      .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${at(across(x))} ${at(down(y))}`)
      .join('')
    const dots = points.map(
      ({ x, y }) => `  <circle class="${name}-dot" cx="${at(across(x))}" cy="${at(down(y))}" r="3"/>`,
    )
    const end = points.at(-1)
    const label =
      end === undefined
        ? []
        : [`  <text x="${at(across(end.x) + 8)}" y="${at(down(end.y) + 4)}">${name}</text>`]
    return [`  <path class="${name}" d="${path}"/>`, ...dots, ...label]
  }
  return [
    `  <text x="${left}" y="${top - 22}" font-weight="600">${title}</text>`,
    ...grid,
    `  <path class="axis" d="M${left} ${top}V${bottom}H${left + width}"/>`,
    ...ticks,
    `  <text class="quiet" x="${left + width / 2}" y="${bottom + 38}" text-anchor="middle">daemons</text>`,
    ...drawn('mesh', mesh),
    ...drawn('hub', hub),
  ].join('\n')
}

/** The next of 1, 2, 5, 10, 20, … */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power
}

const at = (value: number): string => String(Math.round(value * 10) / 10)
const tidy = (value: number): string => String(Number(value.toPrecision(3)))

const inWords = ({ hub, mesh, writes }: SpreadSeries): string =>
  [
    ...hub.map((one) => ({ ...one, where: 'on a hub' })),
    ...mesh.map((one) => ({ ...one, where: 'in a mesh' })),
  ]
    .map(
      ({ daemons, where, oneMs, manyMs }) =>
        `${daemons} daemons ${where}: one write ${oneMs.toFixed(0)} ms, ${writes} writes ${(manyMs / 1000).toFixed(1)} s`,
    )
    .join('; ')
