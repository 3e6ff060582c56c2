/** What a text in canonical form says it is, without reading all of it. Whether that is true is seen when it is read. */

/** What stands behind it in a canonical text has no quotes in it. */
export const idIn = (text: string): string | undefined => lastIn(text, 'id')

export const projectIdIn = (text: string): string | undefined => lastIn(text, 'project_id')

function lastIn(text: string, name: string): string | undefined {
  const start = text.lastIndexOf(`"${name}":"`)
  if (start === -1) return undefined
  const from = start + name.length + 4
  return apart(text.slice(from, text.indexOf('"', from)).slice(0, 128))
}

/** A part of a text keeps all of it in memory, unless it is made anew: ids are remembered when the text is long gone. */
const apart = (part: string): string => ` ${part}`.slice(1)
