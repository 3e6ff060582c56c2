import { oneLine } from '../names/quoted.ts'

/** Which version of a contract types were made of. */
export interface Stamp {
  readonly contractId: string
  readonly version: number
  /** The beginning of the hash of its content. */
  readonly hash: string
  readonly name: string
}

const WORD = 'contract:'

/** `contract: ID@VERSION#HASH NAME`. */
export const stampLine = ({ contractId, version, hash, name }: Stamp): string =>
  `${WORD} ${contractId}@${version}#${hash} ${oneLine(name)}`.trimEnd()

const LINE = /^(?:\/\/|#) contract: (\S+)@(\d+)#([0-9a-f]{8})(?: (.*))?$/

/** The stamps in the comments before anything else of a generated file; nothing further down counts as one. */
export function stampsIn(text: string): readonly Stamp[] {
  const stamps: Stamp[] = []
  for (const line of text.split('\n')) {
    if (!/^(?:\/\/|#)/.test(line)) break
    const [, contractId, version, hash, name = ''] = LINE.exec(line.replace(/\r$/, '')) ?? []
    if (contractId !== undefined && hash !== undefined)
      stamps.push({ contractId, version: Number(version), hash, name })
  }
  return stamps
}

/** Why types are not of what is in force now, a sentence for each contract; nothing where they are. */
export function staleness(made: readonly Stamp[], now: readonly Stamp[]): readonly string[] {
  const before = new Map(made.map((stamp) => [stamp.contractId, stamp]))
  const after = new Set(now.map(({ contractId }) => contractId))
  return [
    ...now.flatMap((stamp) => moved(before.get(stamp.contractId), stamp)),
    ...made
      .filter(({ contractId }) => !after.has(contractId))
      .map(({ name }) => `«${name}» is not in force any more`),
  ]
}

function moved(was: Stamp | undefined, { name, version, hash }: Stamp): string[] {
  const title = oneLine(name)
  if (was === undefined) return [`«${title}» is in force, and no types were made of it`]
  if (was.version !== version) return [`«${title}» was version ${was.version} and is version ${version} now`]
  return was.hash === hash ? [] : [`«${title}» has another content than it had`]
}

const MOST_REASONS = 5

/** The same in one line. */
export function stalenessLine(reasons: readonly string[]): string {
  const more = reasons.length - MOST_REASONS
  return [...reasons.slice(0, MOST_REASONS), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
