/** Longer ones are hashes and tokens that nobody types. */
const LONGEST_TERM = 64

/** What reads as one word; in code, a name. */
export const NAME = /[\p{L}\p{N}\p{M}]+/gu

/**
 * The words of a text as they are looked for: split where names in code are (`orders.created`, `paymentIntent`,
 * `user_id`), with the whole name beside its parts where only capitals part them.
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

/** Without accents and capitals: whoever searches rarely types them. */
export function foldWord(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** What a question is made of, whatever it is about. */
const SMALL_WORDS = new Set(
  'a an and are as at be by can did do does for from has have how i if in is it its me my of on or our please show tell that the their them there these they this to us was we were what when where which who why will with would you your'.split(
    ' ',
  ),
)

/** The words of a question that say what it is about. */
export function telling(question: string): string[] {
  return wordsOf(question).filter((word) => !SMALL_WORDS.has(foldWord(word)))
}

/** Shorter ones are too like each other. */
export const FORGIVEN_LENGTH = 4
/** Of longer ones two letters may be wrong, and so also two that changed places. */
const SWAPPED_LENGTH = 7

/** What a folded word may have been meant to be: the same with two neighbouring letters the other way round. */
export function swapped(word: string): string[] {
  if (word.length < FORGIVEN_LENGTH || word.length > SWAPPED_LENGTH) return []
  const letters = [...word]
  return letters.slice(1).flatMap((letter, at) => {
    const before = letters[at]
    if (before === undefined || before === letter) return []
    return letters.toSpliced(at, 2, letter, before).join('')
  })
}
