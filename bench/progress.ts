/** Says on stderr what is going on: in one line that changes on a terminal, in a line per figure elsewhere. */
export class Progress {
  readonly #began = performance.now()
  readonly #isTerminal = process.stderr.isTTY === true
  #figure = ''

  begin(figure: string): void {
    this.#figure = figure
    if (this.#isTerminal) this.#rewrite('')
    else process.stderr.write(`${this.#clock()} ${figure}\n`)
  }

  step(text: string): void {
    if (this.#isTerminal) this.#rewrite(`: ${text}`)
  }

  end(): void {
    if (this.#isTerminal) process.stderr.write('\r\x1b[K')
    else process.stderr.write(`${this.#clock()} done\n`)
  }

  #rewrite(rest: string): void {
    process.stderr.write(`\r\x1b[K${this.#clock()} ${this.#figure}${rest}`)
  }

  #clock(): string {
    return `[${((performance.now() - this.#began) / 1000).toFixed(0).padStart(3)} s]`
  }
}
