/**
 * Reads the data of every event of a `text/event-stream`, from text in pieces of any size. Not by `eventsource-parser`
 * (3.1.1): it holds an event that ends with a carriage return back until more text comes, and its bound on size does not
 * count an event that ends within a piece.
 */
export function createSseParser(longest: number) {
  let line = ''
  let data: string[] = []
  let length = 0
  /** The last piece ended with a carriage return; a line feed that follows belongs to it. */
  let isAfterReturn = false

  const endLine = (): string | undefined => {
    const ended = line
    line = ''
    if (ended === '') {
      const event = data.length === 0 ? undefined : data.join('\n')
      data = []
      length = 0
      return event
    }
    const value = /^data(?:: ?([\s\S]*))?$/.exec(ended)
    if (value !== null) data.push(value[1] ?? '')
    return undefined
  }

  return {
    /** The events that are complete after this piece. */
    feed(piece: string): readonly string[] {
      const events: string[] = []
      const text = isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece
      if (piece !== '') isAfterReturn = piece.endsWith('\r')
      const parts = text.split(/\r\n|\r|\n/)
      for (const [index, part] of parts.entries()) {
        length += part.length
        if (length > longest) throw new RangeError('An event is longer than anybody may send')
        line += part
        if (index === parts.length - 1) break
        const event = endLine()
        if (event !== undefined) events.push(event)
      }
      return events
    },
  }
}
