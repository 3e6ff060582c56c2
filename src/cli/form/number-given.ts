import { UsageError } from '../program/report.ts'

/** The number behind an option, if it was given; a text of another form is refused with the problem. */
export function numberGiven(text: string | undefined, form: RegExp, problem: string): number | undefined {
  if (text === undefined) return undefined
  if (form.test(text)) return Number(text)
  throw new UsageError(problem)
}
