import { oneLine } from './quoted.ts'

/** Between two characters it is not seen, and keeps them from meaning something together. */
const APART = '&#8203;'

/** What others wrote as plain words in a line of Markdown: it makes no markup, notifies nobody and refers to nothing. */
export const markdownOf = (text: string): string =>
  oneLine(text)
    .replaceAll(/[\\`*_[\]<>|~&]/g, (mark) => `\\${mark}`)
    .replaceAll(/(?<!\w)@(?=\w)|#(?=\d)/g, (mark) => `${mark}${APART}`)
