/** A fenced block: ```language mark. */
export interface Block {
  readonly language: string
  /** What stands behind the language. */
  readonly mark: string
  readonly text: string
  /** Where its fence opens, counted from 1. */
  readonly line: number
}

export interface Link {
  readonly target: string
  readonly line: number
}

/** The fenced blocks of a page, and its lines without them: those inside are empty. */
export function readPage(page: string): { blocks: Block[]; prose: string[] } {
  const blocks: Block[] = []
  let open: { fence: string; info: string; lines: string[]; line: number } | undefined
  const prose = page.split('\n').map((line, index) => {
    const [, fence, info = ''] = /^\s*(`{3,}|~{3,})\s*(.*)$/.exec(line) ?? []
    if (open === undefined && fence === undefined) return line
    if (open === undefined) open = { fence: fence ?? '', info: info.trim(), lines: [], line: index + 1 }
    else if (fence?.startsWith(open.fence) && info === '') {
      const [language = '', ...mark] = open.info.split(' ')
      blocks.push({ language, mark: mark.join(' '), text: `${open.lines.join('\n')}\n`, line: open.line })
      open = undefined
    } else open.lines.push(line)
    return ''
  })
  if (open !== undefined) throw new Error(`the block that opens in line ${open.line} is never closed`)
  return { blocks, prose }
}

export const blocksOf = (page: string): Block[] => readPage(page).blocks

const INLINE_CODE = /`[^`]*`/g

/** `[text](target)`, and the pictures of `<picture>`, of which there is one for each theme. */
const LINK = /\[[^\]]*\]\(([^)\s]+)\)|<(?:img|source)\b[^>]*\ssrc(?:set)?="([^"\s]+)"/g

export function linksOf(page: string): Link[] {
  return readPage(page).prose.flatMap((text, index) =>
    [...text.replace(INLINE_CODE, '').matchAll(LINK)].map(([, link, picture = '']) => ({
      target: link ?? picture,
      line: index + 1,
    })),
  )
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  for (const line of readPage(page).prose) {
    const [, heading] = /^#{1,6} +(.+?) *$/.exec(line) ?? []
    if (heading === undefined) continue
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let again = 1; anchors.has(anchor); again++) anchor = `${slug}-${again}`
    anchors.add(anchor)
  }
  return anchors
}
