/** Words that are written in a row, with blanks between them. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))
