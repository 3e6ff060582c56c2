import { styleText } from 'node:util'

type Colour = 'green' | 'yellow' | 'red' | 'bold' | 'dim'

export function paint(colour: Colour, text: string, { colour: isOn }: { colour: boolean }): string {
  // Whether to paint is decided by the caller, so Node must not check the stream again.
  return isOn ? styleText(colour, text, { validateStream: false }) : text
}

/** The protocol's status words by the colour that they are shown in. */
const WORDS: Readonly<Partial<Record<Colour, string>>> = {
  green: 'healthy approved agreed implemented verified complete success created completed valid',
  yellow: 'proposed negotiating planning implementing integrating pending in_progress connecting',
  red: 'degraded rejected failure partial needs_revision error failing paused incompatible failed canceled conflict objection invalid',
  dim: 'withdrawn retired archived',
}

const COLOUR_OF: ReadonlyMap<string, Colour> = new Map(
  Object.entries(WORDS).flatMap(([colour, words]) =>
    words.split(' ').map((word) => [word, colour as Colour]),
  ),
)

/** Colours a text that is exactly one of the protocol's status words, or a list of them. */
export function paintStatus(text: string, look: { colour: boolean }): string {
  const words = text.split(',').map((word) => ({ word, colour: COLOUR_OF.get(word) }))
  const painted = words.map(({ word, colour }) => (colour === undefined ? word : paint(colour, word, look)))
  return words.every(({ colour }) => colour !== undefined) ? painted.join(',') : text
}
