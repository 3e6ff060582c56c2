/** Text of others as paragraphs, lists and code. One pass, no nesting, no markup: nothing in it can take long or act. */

export type Block =
  | { readonly is: 'paragraph'; readonly lines: readonly Inline[][] }
  | { readonly is: 'list'; readonly isOrdered: boolean; readonly items: readonly Inline[][] }
  | { readonly is: 'code'; readonly text: string }

export type Inline =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'link'; readonly text: string }

const FENCE = /^ {0,3}(?:```|~~~)/
const ITEM = /^ {0,3}(?:[-*+•]|(\d{1,9})[.)]) +(.*)$/

export function readText(text: string): readonly Block[] {
  const blocks: Block[] = []
  let paragraph: Inline[][] = []
  let list: { isOrdered: boolean; items: Inline[][] } | undefined
  let code: string[] | undefined

  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ is: 'paragraph', lines: paragraph })
    paragraph = []
  }
  const endList = () => {
    if (list !== undefined) blocks.push({ is: 'list', ...list })
    list = undefined
  }

  for (const line of text.split(/\r\n|\r|\n/)) {
    if (FENCE.test(line)) {
      endParagraph()
      endList()
      if (code === undefined) code = []
      else {
        blocks.push({ is: 'code', text: code.join('\n') })
        code = undefined
      }
      continue
    }
    if (code !== undefined) {
      code.push(line)
      continue
    }
    const item = ITEM.exec(line)
    if (item !== null) {
      endParagraph()
      const isOrdered = item[1] !== undefined
      if (list?.isOrdered !== isOrdered) endList()
      list ??= { isOrdered, items: [] }
      list.items.push(readInline(item[2] ?? ''))
      continue
    }
    endList()
    if (line.trim() === '') endParagraph()
    else paragraph.push(readInline(line))
  }
  if (code !== undefined) blocks.push({ is: 'code', text: code.join('\n') })
  endParagraph()
  endList()
  return blocks
}

const LINK = /https?:\/\/[^\s<>"'`«»]+/g
/** What ends a sentence is no part of the address before it. */
const ENDS = new Set('.,;:!?)]}')

function withoutEnd(link: string): string {
  let end = link.length
  while (end > 0 && ENDS.has(link.charAt(end - 1))) end--
  return link.slice(0, end)
}

export function readInline(line: string): Inline[] {
  // Every second part stood between backticks; where one was left open, the last part did not.
  const parts = line.split('`')
  const isOpen = parts.length % 2 === 0
  return parts.flatMap((part, index): Inline[] => {
    if (index % 2 === 0) return withLinks(part)
    if (isOpen && index === parts.length - 1) return withLinks(`\`${part}`)
    return [{ is: 'code', text: part }]
  })
}

function withLinks(text: string): Inline[] {
  const found: Inline[] = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(LINK)) {
    const link = withoutEnd(match)
    if (index > end) found.push({ is: 'text', text: text.slice(end, index) })
    found.push({ is: 'link', text: link })
    end = index + link.length
  }
  if (end < text.length) found.push({ is: 'text', text: text.slice(end) })
  return found
}
