import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

interface Locked {
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const NESTED = 'node_modules/'

describe.each(['package-lock.json', 'bench/package-lock.json'])('%s', (path) => {
  test('has an entry for every optional dependency, so that `npm ci` takes it on every system', async () => {
    const packages = await lockedIn(path)
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !placesFor(name, place).some((one) => one in packages))
        .map((name) => `${name}, of ${place}`),
    )
    expect(missing).toEqual([])
    // The tools that come as one package per system are among those that were looked at.
    if (path === 'package-lock.json') expect(Object.keys(packages)).toContain(BIOME_ELSEWHERE)
  })

  test('names no place to download from, so that it works with every registry', async () => {
    const named = Object.entries(await lockedIn(path)).filter(([, { resolved }]) => resolved !== undefined)
    expect(named).toEqual([])
  })
})

const BIOME_ELSEWHERE = 'node_modules/@biomejs/cli-darwin-arm64'

async function lockedIn(path: string): Promise<Readonly<Record<string, Locked>>> {
  const text = await readFile(new URL(`../${path}`, import.meta.url), 'utf8')
  return (JSON.parse(text) as { packages: Record<string, Locked> }).packages
}

/** Where node looks for what a package needs: below it, and below every package around it. */
function placesFor(name: string, place: string): string[] {
  const around = place.split(`/${NESTED}`)
  return [...around.map((_, index) => `${around.slice(0, index + 1).join(`/${NESTED}`)}/`), '']
    .filter((folder) => folder !== '/')
    .map((folder) => `${folder}${NESTED}${name}`)
}
