import { readEndpoint } from './data-dir.ts'

/** The port of the first start is kept: other daemons and the settings of agents contain it. */
export async function portsToTry(given: { port: number | null; dataDir: string }): Promise<number[]> {
  if (given.port !== null) return [given.port]
  const remembered = (await readEndpoint(given.dataDir))?.port
  return remembered === undefined ? Array.from({ length: 100 }, (_, index) => 8080 + index) : [remembered]
}
