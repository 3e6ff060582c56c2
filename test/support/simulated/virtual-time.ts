import type { Timers } from '../../../src/engine/ports/ports.ts'

interface Event {
  readonly at: number
  readonly order: number
  readonly task: () => void
}

const realTurn = setImmediate

/**
 * Time that jumps from one event to the next. It moves only when nothing else can happen: all promises have
 * settled, and nobody waits for a turn of the event loop. Turns are counted instead of guessed: while a
 * virtual time is installed, `setImmediate` puts its task into a queue that `settle` empties.
 */
export class VirtualTime implements Timers {
  /** Milliseconds since the beginning. */
  now = 0
  /** How many events have happened. */
  events = 0
  readonly #heap: Event[] = []
  #turns: (() => void)[] = []
  #order = 0

  install(): Disposable {
    const before = globalThis.setImmediate
    const install = (task: (...args: unknown[]) => void, ...args: unknown[]) => {
      this.#turns.push(() => task(...args))
    }
    globalThis.setImmediate = install as unknown as typeof setImmediate
    return {
      [Symbol.dispose]: () => {
        globalThis.setImmediate = before
        for (const task of this.#turns) before(task)
        this.#turns = []
      },
    }
  }

  millis(): number {
    return this.now
  }

  after(millis: number, task: () => void): () => void {
    let isCancelled = false
    this.#push({
      at: this.now + Math.max(0, millis),
      order: this.#order++,
      task: () => isCancelled || task(),
    })
    return () => {
      isCancelled = true
    }
  }

  /** Until nothing happens any more without time passing. */
  async settle(): Promise<void> {
    for (;;) {
      // A real turn comes when the queue of promises is empty, however long the chains were.
      await new Promise<void>((resolve) => realTurn(() => resolve()))
      if (this.#turns.length === 0) return
      const turns = this.#turns
      this.#turns = []
      for (const task of turns) task()
    }
  }

  /** Lets everything happen that is due within so many milliseconds, one after the other. */
  async advance(millis: number): Promise<void> {
    const until = this.now + millis
    await this.settle()
    for (let next = this.#heap[0]; next !== undefined && next.at <= until; next = this.#heap[0]) {
      this.#pop()
      this.now = next.at
      this.events++
      next.task()
      await this.settle()
    }
    this.now = until
  }

  #push(event: Event): void {
    const heap = this.#heap
    let index = heap.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent] as Event
      if (isBefore(above, event)) break
      heap[index] = above
      index = parent
    }
    heap[index] = event
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop() as Event
    if (heap.length === 0) return
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child++
      if (isBefore(last, heap[child] as Event)) break
      heap[index] = heap[child] as Event
      index = child
    }
    heap[index] = last
  }
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)
