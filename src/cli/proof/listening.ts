import type { MockRules, Tables } from '../../io/mock/mock-server.ts'
import { coverageOf, openProxy, type ProxyPlace } from './observation.ts'

/** Something that listens until it is ended. */
export interface Listening {
  readonly url: string
  /** Answers what there is to say at the end. */
  end(): Promise<readonly string[]>
}

export async function beginMock(tables: () => Tables, rules: MockRules): Promise<Listening> {
  const { startMock } = await import('../../io/mock/mock-server.ts')
  const server = await startMock(tables, rules)
  return {
    url: server.url,
    async end() {
      await server[Symbol.asyncDispose]()
      return []
    },
  }
}

export async function beginProxy(place: ProxyPlace): Promise<Listening> {
  const proxy = await openProxy(place)
  return {
    url: proxy.url,
    async end() {
      const { shown } = await proxy.end()
      return [
        ...shown.map((one) => `${one.served.name}: ${coverageOf(one)}`),
        `The requests are in ${proxy.path}`,
      ]
    },
  }
}
