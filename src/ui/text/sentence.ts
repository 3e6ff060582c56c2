/** A sentence in our words; what others wrote stands in it as a quotation. */
export type Part = string | { readonly quoted: string }
export type Sentence = readonly Part[]

/** As plain text, for what can show nothing else. */
export const plainSentence = (sentence: Sentence): string =>
  sentence.map((part) => (typeof part === 'string' ? part : `«${part.quoted}»`)).join('')
