/** Finds the entries of a HAR in its text as it comes, so that a file of any length takes the memory of one entry. */
export class EntryScanner {
  /** Entries that were longer than anybody looks at. */
  skipped = 0
  #depth = 0
  #isText = false
  #isEscaped = false
  /** The parts of what stands between two quotes; only of keys around the entries. */
  #word = ''
  #keys: string[] = []
  #areEntries = false
  #wereEntries = false
  #isEntry = false
  #kept: string[] = []
  #length = 0
  readonly #longest: number

  constructor(longest: number) {
    this.#longest = longest
  }

  /** Whether the text was that of a HAR, from its first to its last sign. */
  get isWhole(): boolean {
    return this.#wereEntries && this.#depth === 0
  }

  /** The entries that end in this piece of the text. */
  *push(piece: string): Generator<string> {
    let from = 0
    let index = 0
    while (index < piece.length) {
      if (this.#isText) {
        index = this.#skipText(piece, index)
        continue
      }
      SIGN.lastIndex = index
      const found = SIGN.exec(piece)
      if (found === null) break
      index = found.index + 1
      const [sign] = found
      if (sign === '"') {
        this.#isText = true
        this.#word = ''
      } else if (sign === '{' || sign === '[') {
        if (this.#open(sign)) from = found.index
      } else if (sign === '}' || sign === ']') {
        if (this.#close(sign)) {
          this.#keep(piece.slice(from, index))
          const entry = this.#take()
          if (entry !== undefined) yield entry
        }
      } else if (this.#depth < 3) this.#keys[this.#depth] = this.#word
    }
    if (this.#isEntry) this.#keep(piece.slice(from))
  }

  /** The place behind the text that goes on here. */
  #skipText(piece: string, start: number): number {
    let index = start + (this.#isEscaped ? 1 : 0)
    this.#isEscaped = false
    for (;;) {
      END.lastIndex = index
      const found = END.exec(piece)
      const end = found?.index ?? piece.length
      if (this.#depth < 3)
        this.#word = `${this.#word}${piece.slice(index, Math.min(end, index + LONGEST_KEY))}`.slice(
          0,
          LONGEST_KEY,
        )
      if (found === null) return piece.length
      if (found[0] === '"') {
        this.#isText = false
        return end + 1
      }
      // What is behind a backslash may only come with the next piece.
      this.#isEscaped = end + 1 === piece.length
      if (this.#isEscaped) return piece.length
      index = end + 2
    }
  }

  /** Whether an entry begins here. */
  #open(sign: string): boolean {
    const depth = this.#depth++
    if (depth === 2 && sign === '[' && this.#keys[1] === 'log' && this.#keys[2] === 'entries')
      this.#areEntries = this.#wereEntries = true
    if (depth !== 3 || !this.#areEntries || sign !== '{') return false
    this.#isEntry = true
    return true
  }

  /** Whether an entry ends here. */
  #close(sign: string): boolean {
    const depth = --this.#depth
    if (depth === 2 && sign === ']') this.#areEntries = false
    return depth === 3 && this.#isEntry
  }

  #keep(text: string): void {
    this.#length += text.length
    if (this.#length <= this.#longest) this.#kept.push(text)
    else this.#kept = []
  }

  #take(): string | undefined {
    const isTooLong = this.#length > this.#longest
    const entry = this.#kept.join('')
    this.#kept = []
    this.#length = 0
    this.#isEntry = false
    if (isTooLong) this.skipped++
    return isTooLong ? undefined : entry
  }
}

const SIGN = /["{}[\]:]/g
const END = /["\\]/g
const LONGEST_KEY = 20
