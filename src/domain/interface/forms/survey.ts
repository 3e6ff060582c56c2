/** Deeper content is not walked: every recursive walk over it has to end. */
const DEEPEST = 128
/** Longer names are not read: each would stand in the place of everything that is inside of it. */
const LONGEST_NAME = 1000

/** What is seen of content in one walk over all of it, before anybody reads it. */
export interface Survey {
  /** Why nothing else walks it; undefined where it may be walked. */
  why: string | undefined
  /** How many names there are in it. */
  names: number
  /** Whether anything in it is for one direction alone. */
  tellsDirections: boolean
}

export function surveyOf(content: object): Survey {
  const survey = { why: undefined, names: 0, tellsDirections: false }
  walk(content, 0, survey)
  return survey
}

function walk(value: object, depth: number, survey: Survey): void {
  if (depth > DEEPEST) survey.why = 'it is nested too deep'
  else if (Array.isArray(value)) {
    for (const inner of value) if (typeof inner === 'object' && inner !== null) walk(inner, depth + 1, survey)
  } else {
    const names = Object.keys(value)
    survey.names += names.length
    for (const name of names) {
      if (name === 'readOnly' || name === 'writeOnly') survey.tellsDirections = true
      if (name.length > LONGEST_NAME) survey.why = `a name in it has more than ${LONGEST_NAME} characters`
      const inner = (value as Readonly<Record<string, unknown>>)[name]
      if (typeof inner === 'object' && inner !== null) walk(inner, depth + 1, survey)
    }
  }
}
