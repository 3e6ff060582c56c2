/** A sentence in our words; what others wrote stands in it as a quotation. */
export type Part = string | { readonly quoted: string }
export type Sentence = readonly Part[]

/** As plain text, for what can show nothing else. */
export const plainSentence = (sentence: Sentence): string =>
  sentence.map((part) => (typeof part === 'string' ? part : `«${part.quoted}»`)).join('')

/** What others wrote, in as many characters as a sentence has room for. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text
