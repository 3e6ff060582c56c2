import type { EntityName } from '../change.ts'

/** A part of a brief: the entries of one kind, the most important first. */
export interface BriefSection {
  readonly title: string
  /** Whether there may be more than these. */
  readonly isCut: boolean
  /** The method that lists the rest. */
  readonly see: string
  /** A background section gets only the space that the others leave, wherever it stands. */
  readonly isBackground?: true
  readonly entries: readonly BriefEntry[]
}

export interface BriefEntry {
  /** The entity that the line mentions. */
  readonly name: EntityName
  /** Built only if there is space for it. */
  line(): string
}

interface FittedText {
  readonly text: string
  /** Whether something was left out. */
  readonly isCut: boolean
  readonly shown: readonly BriefEntry[]
}

/**
 * The header and the sections in at most `most` characters. Each section may take half of the space that the earlier
 * ones left, or the length of its first line, and the last section all of it; but always so that the title and count
 * of the others fit. If not even these fit, the last sections are left out. Background sections are filled last. The
 * text is empty if there is nothing to say.
 */
export function fitSections(header: string, sections: readonly BriefSection[], most: number): FittedText {
  const filled = sections.filter(({ entries, isCut }) => entries.length > 0 || isCut)
  if (filled.length === 0) return { text: '', isCut: false, shown: [] }
  const turns = [...filled.filter((one) => !one.isBackground), ...filled.filter((one) => one.isBackground)]
  const fitted = new Map<BriefSection, FittedText>()
  const roomForEntries = () =>
    most - header.length - turns.reduce((sum, one) => sum + titleOnly(one).length + 1, 0)
  while (roomForEntries() < 0 && turns.length > 0) turns.pop()
  let room = roomForEntries()
  for (const section of turns) {
    const least = titleOnly(section).length
    const isLast = section === turns.at(-1)
    const fair = fillSection(section, least + (isLast ? room : Math.floor(room / 2)))
    const text =
      fair.shown.length > 0 ? fair : fillSection(section, least + room, section.entries.slice(0, 1))
    fitted.set(section, text)
    room -= text.text.length - least
  }
  const parts = filled.flatMap((section) => fitted.get(section) ?? [])
  return {
    text: [header, ...parts.map(({ text }) => text)].join('\n'),
    isCut: turns.length < filled.length || parts.some(({ isCut }) => isCut),
    shown: parts.flatMap(({ shown }) => shown),
  }
}

function fillSection(section: BriefSection, room: number, entries = section.entries): FittedText {
  const title = `${section.title} (${counted(section)}):`
  const lines = [title]
  let length = title.length
  for (const entry of entries) {
    const line = entry.line()
    lines.push(line)
    length += line.length + 1
    if (length > room) break
  }
  const isWhole = length <= room && entries.length === section.entries.length && !section.isCut
  while (!isWhole && lines.length > 1 && length + restOf(section, lines.length - 1).length > room)
    length -= (lines.pop()?.length ?? 0) + 1
  const shown = entries.slice(0, lines.length - 1)
  if (shown.length === 0) return { text: titleOnly(section), isCut: true, shown }
  return { text: lines.join('\n') + (isWhole ? '' : restOf(section, shown.length)), isCut: !isWhole, shown }
}

/** A section without entries. */
const titleOnly = (section: BriefSection): string =>
  `${section.title}: ${counted(section)}, see ${section.see}`

function counted({ entries: { length }, isCut }: BriefSection): string {
  if (!isCut) return String(length)
  return length === 0 ? 'perhaps some' : `${length} or more`
}

function restOf({ entries, isCut, see }: BriefSection, shown: number): string {
  const left = entries.length - shown
  if (left === 0) return `\n- perhaps more: ${see}`
  return `\n- and ${isCut ? `${left} or more` : left} more: ${see}`
}
