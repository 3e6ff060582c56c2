/** Words that are written in a row, with blanks between them. */
export const wordList = (words: string): readonly string[] => words.split(/\s+/)

export const wordSet = (words: string): ReadonlySet<string> => new Set(wordList(words))
