/** Longer words are hashes and tokens that nobody types. */
const LONGEST_TERM = 64

/** A sequence of letters and digits; in code, a name. */
export const NAME = /[\p{L}\p{N}\p{M}]+/gu

/**
 * The words of a text as the index has them: names in code are split (`orders.created`, `paymentIntent`, `user_id`);
 * a camel-case name is included as a whole, too.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const [name] of text.matchAll(NAME)) {
    if (name.length > LONGEST_TERM) continue
    words.push(name)
    const parts = name.match(CAMEL) ?? []
    if (parts.length > 1) words.push(...parts)
  }
  return words
}

const CAMEL = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|\p{N}+/gu

/** Removes accents and capitals, which people rarely type in a search. */
export function foldWord(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Words that occur in questions about anything. */
const SMALL_WORDS = new Set(
  'a an and are as at be by can did do does for from has have how i if in is it its me my of on or our please show tell that the their them there these they this to us was we were what when where which who why will with would you your'.split(
    ' ',
  ),
)

/** The words of a question that say what it is about. */
export function telling(question: string): string[] {
  return wordsOf(question).filter((word) => !SMALL_WORDS.has(foldWord(word)))
}

/** In shorter words no typing error is tolerated: they are too similar to each other. */
export const FORGIVEN_LENGTH = 4
/** In longer words two wrong letters are tolerated anyway, and so are two swapped ones. */
const SWAPPED_LENGTH = 7

/** The variants of a word with two neighbouring letters swapped. */
export function swapped(word: string): string[] {
  if (word.length < FORGIVEN_LENGTH || word.length > SWAPPED_LENGTH) return []
  const letters = [...word]
  return letters.slice(1).flatMap((letter, at) => {
    const before = letters[at]
    if (before === undefined || before === letter) return []
    return letters.toSpliced(at, 2, letter, before).join('')
  })
}
