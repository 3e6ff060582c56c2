import { paint, paintStatus } from '../output/paint.ts'
import type { Terminal } from '../output/terminal.ts'
import { wrapped } from '../output/wrap.ts'

/** What happens in a demo, as `--json` prints it: one line each. */
export type DemoEvent = Readonly<
  | { event: 'scene'; title: string }
  | { event: 'started'; repo: string; url: string; folder: string; pid: number }
  | { event: 'step'; by: string; says: string; method: string; result: object }
  | { event: 'arrived'; at: string; what: string; afterMillis: number }
  | { event: 'paired'; words: string }
  | { event: 'finished'; contractStatus: string; seconds: number; kept: boolean }
>

type Look = Pick<Terminal, 'colour' | 'width'>

const WIDEST = 100
const MARGIN = 3
/** The names of both, and what is between them and what they do. */
const NAME = 'frontend-app'.length + 2
/** From here on the names stand on the lines of their own. */
const NARROW = 60

/** The story for people: a heading per scene, a line per step, and below it what came of it. */
export function createNarration({ colour, width: columns }: Look): (event: DemoEvent) => string {
  const width = Math.min(columns, WIDEST)
  const look = { colour }
  const hanging = width < NARROW ? MARGIN + 2 : MARGIN + NAME
  let scenes = 0
  /** The last line can be gone on with. */
  let isOpen = false
  return (event) => {
    const before = isOpen ? '\n' : ''
    if (event.event === 'arrived') {
      isOpen = false
      return arrived(`→ ${event.at} has ${event.what} after ${event.afterMillis} ms`)
    }
    isOpen = event.event === 'step'
    return before + lines(event)
  }

  function lines(event: Exclude<DemoEvent, { event: 'arrived' }>): string {
    switch (event.event) {
      case 'scene':
        return `\n${heading(`${++scenes}. ${event.title}`)}\n`
      case 'started':
        return `${act(event.repo, `listens at ${event.url}`)}\n`
      case 'step':
        return `${act(event.by, event.says)}\n${note(outcomeOf(event))}`
      case 'paired':
        return `${act('both', `see the same words: ${event.words}`)}\n`
      case 'finished':
        return `\n${heading(
          `In ${event.seconds.toFixed(1)} s two repositories agreed on an endpoint, built it and saw that it fits.`,
        )}\n`
      default:
        return event satisfies never
    }
  }

  /** Goes on behind the step that it belongs to, where there is room. */
  function arrived(text: string): string {
    return width < NARROW ? `\n${note(text)}\n` : ` ${paint('dim', text, look)}\n`
  }

  function heading(text: string): string {
    return paint('bold', wrapped(text, { width }), look)
  }

  function act(name: string, text: string): string {
    const label = ' '.repeat(MARGIN) + paint('bold', name, look)
    const first = width < NARROW ? `${label} ` : label + ' '.repeat(NAME - name.length)
    return wrapped(text, { width, first, hanging })
  }

  function note(text: string): string {
    return paint('dim', wrapped(text, { width, first: ' '.repeat(hanging), hanging }), look)
  }

  /** The method, and the status of the contract where it has one now. */
  function outcomeOf({ method, result }: { method: string; result: object }): string {
    const { contractStatus, status } = result as { contractStatus?: unknown; status?: unknown }
    const now = contractStatus ?? (method.startsWith('cacp/contract/') ? status : undefined)
    return typeof now === 'string' ? `${method}: ${paintStatus(now, look)}` : method
  }
}
