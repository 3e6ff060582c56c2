import { type Edit, insertion, isBlankText, NOTHING, removal, type SetupFile } from '../edit.ts'
import { appended, cutLines, editBlock, markedBlock, putBlock, shortHash } from './marked-block.ts'

const HTML = { open: '<!-- ', close: ' -->' }

/** A file of the user that contains our marked block. */
export function blockFile(path: string, purpose: string, lines: readonly string[]): SetupFile {
  const block = markedBlock(lines, HTML)
  return {
    path,
    purpose,
    paste: `${block}\n`,
    put: (text = '') => editBlock(text, (place) => ({ splices: putBlock(text, block, place), made: [] })),
    strip: (text) =>
      editBlock(text, (place) =>
        place === undefined ? NOTHING : { splices: [cutLines(text, place)], made: [] },
      ),
    isBlank: isBlankText,
  }
}

/** One line that imports another file; only if the file to put it into exists. */
export function importLine(path: string, purpose: string, line: string): SetupFile {
  const name = line.replace(/^@/, '').replaceAll('.', '\\.')
  const isImported = (text: string) =>
    new RegExp(`(?:^|\\s)@(?:\\./)?${name}(?![\\w./-])`).test(withoutCode(text))
  const own = new RegExp(`^${line.replaceAll('.', '\\.')}(?=\\r?$)`, 'gm')
  return {
    path,
    purpose,
    paste: `${line}\n`,
    put: (text) =>
      text === undefined || isImported(text) ? NOTHING : { splices: [appended(text, line)], made: [] },
    strip: (text, made) => {
      const last = [...text.matchAll(own)].at(-1)
      // The line has no mark: without a record that we put it there, it belongs to the user.
      if (made === undefined || last === undefined) return NOTHING
      return { splices: [cutLines(text, { from: last.index, to: last.index + line.length })], made: [] }
    },
    isBlank: () => false,
  }
}

/** An import inside of code is only an example. */
const withoutCode = (text: string): string =>
  text.replaceAll(/^[^\S\n]*(```|~~~)[\s\S]*?^[^\S\n]*\1/gm, '').replaceAll(/`[^`\n]*`/g, '')

/** A file that is ours as a whole; its last line says so. */
export function wholeFile(path: string, purpose: string, body: string): SetupFile {
  const whole = `${body}${signature(body)}\n`
  return {
    path,
    purpose,
    isWhole: true,
    paste: whole,
    put: (text) => {
      if (text === undefined || isBlankText(text))
        return { splices: [insertion(text?.length ?? 0, whole)], made: [] }
      if (withoutReturns(text) === whole) return NOTHING
      if (!isAsSigned(text)) return CHANGED
      return { splices: [{ at: 0, removed: text, inserted: whole }], made: [] }
    },
    strip: (text) => {
      if (!text.includes(SIGNATURE)) return NOTHING
      return isAsSigned(text) ? { splices: [removal(text, 0, text.length)], made: [] } : CHANGED
    },
    isBlank: isBlankText,
  }
}

const CHANGED: Edit = { refused: 'is not as `cacpd init` writes it, so it was left as it is' }

const SIGNATURE = '<!-- written by cacpd init;'

const signature = (body: string): string => `${SIGNATURE} v1 hash:${shortHash(body)} -->`

/** Whether the text is as some version of cacpd wrote it; git may have changed its line ends. */
function isAsSigned(text: string): boolean {
  const plain = withoutReturns(text)
  const body = plain.slice(0, plain.lastIndexOf(SIGNATURE))
  return plain === `${body}${signature(body)}\n`
}

const withoutReturns = (text: string): string => text.replaceAll('\r\n', '\n')

/** Settings: written if there are none, and the user's own from then on. */
export function settingsFile(
  path: string,
  purpose: string,
  settings: Readonly<Record<string, string>>,
): SetupFile {
  const whole = `${JSON.stringify(settings, null, 2)}\n`
  return {
    path,
    purpose,
    isOnce: true,
    paste: whole,
    put: () => (Object.keys(settings).length > 0 ? { splices: [insertion(0, whole)], made: [] } : NOTHING),
    strip: () => NOTHING,
    isBlank: () => false,
  }
}
