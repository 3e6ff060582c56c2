/** Longer names are cut; what then is equal gets a number. */
const LONGEST = 80

/** A name that every language takes: words in ASCII, each with a capital letter; other letters by their number. */
export function pascal(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const words = plain.match(/[A-Za-z0-9]+|[^\p{ASCII}]/gu) ?? []
  const name = words.map((word) => (/^[A-Za-z0-9]/.test(word) ? capital(word) : numbered(word))).join('')
  const cut = name.slice(0, LONGEST)
  return /^[0-9]/.test(cut) ? `N${cut}` : cut
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const numbered = (letter: string): string =>
  /\p{L}|\p{N}/u.test(letter) ? `U${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase()}` : ''

/** JSON text in ASCII, with whole characters escaped as Go and Python write them. */
export const asciiText = (value: string | number): string =>
  JSON.stringify(value).replaceAll(/[^\x20-\x7e]/gu, (letter) => {
    const code = (letter.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
  })

/** Names of one scope, each once: the second to want a name gets it with a number. */
export class Names {
  readonly #taken: Set<string>

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved)
  }

  take(wanted: string, fallback: string): string {
    const name = pascal(wanted) || fallback
    let unique = name
    for (let number = 2; this.#taken.has(unique); number++) unique = `${name}${number}`
    this.#taken.add(unique)
    return unique
  }
}
