import type { PeerClient } from '../../../src/engine/ports/ports.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import type { Random } from '../simulated/disk.ts'
import type { VirtualTime } from '../simulated/virtual-time.ts'

/** A request as the other end sees it. */
export interface VirtualRequest {
  readonly from: string
  readonly verb: 'GET' | 'POST'
  readonly path: string
  readonly body: string
}

/** Answers a request, or throws when there is nobody any more to answer. */
export type Door = (request: VirtualRequest) => Promise<{ status: number; text: string }>

/** How bad the network is: the chance of each mishap, per message. */
export interface Weather {
  readonly lostRequest: number
  readonly lostAnswer: number
  readonly duplicate: number
  /** Milliseconds that a message takes at most; messages overtake each other. */
  readonly delay: number
  /** Chance of a message that takes a hundred times as long. */
  readonly straggler: number
}

export const FAIR: Weather = { lostRequest: 0, lostAnswer: 0, duplicate: 0, delay: 5, straggler: 0 }

export interface VirtualNetworkDeps {
  time: VirtualTime
  random: Random
  /** Gets the line only when somebody reads it: to write it costs more than all the rest. */
  trace(line: () => string): void
}

/** The wires between daemons. Every message has its own fate, drawn from the seed. */
export class VirtualNetwork {
  weather: Weather = FAIR
  /** Somebody on the way, who puts another text in the place of a body. */
  alter: ((body: string) => string) | undefined
  requests = 0
  /** When the last message that is under way arrives. */
  lastArrival = 0
  bytes = 0
  readonly #deps: VirtualNetworkDeps
  readonly #doors = new Map<string, Door>()
  /** `from to`: messages in this direction vanish. */
  readonly #cuts = new Set<string>()

  constructor(deps: VirtualNetworkDeps) {
    this.#deps = deps
  }

  /** Somebody listens at this origin from now on; undefined: nobody any more. */
  listen(origin: string, door: Door | undefined): void {
    if (door === undefined) this.#doors.delete(origin)
    else this.#doors.set(origin, door)
  }

  /** Messages from one to the other vanish; those in the other direction arrive. */
  cut(from: string, to: string): void {
    this.#cuts.add(`${from} ${to}`)
  }

  mend(): void {
    this.#cuts.clear()
  }

  /** What a daemon at `origin` calls others with, for as long as it lives. */
  clientOf(origin: string, isAlive: () => boolean): PeerClient {
    const call = (verb: 'GET' | 'POST', url: string, body: string, timeoutMillis: number) =>
      new Promise<string>((resolve, reject) => {
        if (!isAlive()) return
        const target = new URL(url)
        const request = { from: origin, verb, path: target.pathname, body }
        const settle = (settling: () => void) => isAlive() && settling()
        const cancel = this.#deps.time.after(timeoutMillis, () =>
          settle(() => reject(new Fault('unavailable', `${target.origin} did not answer in time`))),
        )
        this.#deliver(target.origin, request, (answer) => {
          cancel()
          settle(() => {
            if (answer instanceof Fault) reject(answer)
            else if (answer.status < 300) resolve(answer.text)
            else reject(new Fault('unavailable', `${target.origin} answered ${answer.status}`))
          })
        })
      })
    return {
      get: (url, timeoutMillis) => call('GET', url, '', timeoutMillis),
      post: (url, body, timeoutMillis) => call('POST', url, body, timeoutMillis),
    }
  }

  #deliver(
    to: string,
    request: VirtualRequest,
    answer: (reply: { status: number; text: string } | Fault) => void,
  ): void {
    const { time, random, trace } = this.#deps
    const { lostRequest, lostAnswer, duplicate } = this.weather
    this.requests++
    this.bytes += request.body.length
    const isLost = random() < lostRequest || this.#isCut(request.from, to)
    const isDoubled = random() < duplicate
    const isAnswerLost = random() < lostAnswer
    trace(
      () =>
        `${request.from} -> ${to} ${describe(request)}${isLost ? ' LOST' : ''}${isDoubled ? ' TWICE' : ''}${isAnswerLost ? ' ANSWER LOST' : ''}`,
    )
    if (isLost) return
    const arriving = { ...request, body: this.alter?.(request.body) ?? request.body }
    const arrive = (isCopy: boolean) => {
      const door = this.#doors.get(to)
      if (door === undefined) {
        if (!isCopy) time.after(this.#delay(), () => answer(new Fault('unavailable', `${to} refuses`)))
        return
      }
      door(arriving).then(
        ({ status, text }) => {
          this.bytes += text.length
          const reply = { status, text: this.alter?.(text) ?? text }
          if (isCopy || isAnswerLost || this.#isCut(to, request.from)) return
          time.after(this.#delay(), () => {
            trace(() => `${request.from} <- ${to} ${reply.status} ${reply.text.slice(0, 400)}`)
            answer(reply)
          })
        },
        () => {}, // the one who should answer is gone
      )
    }
    time.after(this.#delay(), () => arrive(false))
    if (isDoubled) time.after(this.#delay() * 5, () => arrive(true))
  }

  #isCut(from: string, to: string): boolean {
    return this.#cuts.has(`${from} ${to}`)
  }

  #delay(): number {
    const { delay, straggler } = this.weather
    const { random } = this.#deps
    const millis = 1 + random() * delay * (random() < straggler ? 50 : 1)
    this.lastArrival = Math.max(this.lastArrival, this.#deps.time.now + 5 * millis)
    return millis
  }
}

function describe({ verb, path, body }: VirtualRequest): string {
  const methods = [...body.matchAll(/"method":"([^"]+)"/g)].map(([, name]) => name)
  return `${verb} ${path} ${methods.join(' ')}`.slice(0, 300)
}
