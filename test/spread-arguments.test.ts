import { describe, expect, test } from 'vitest'
import { codeOf, sourceFiles, sourceOf } from './support/folders/source-code.ts'

/**
 * Every argument of a call takes room on the stack, so a call with a list of 100,000 as its arguments ends in a
 * RangeError. Where a list is spread into arguments nevertheless, it is one that is known to be short.
 */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  // Words of a command line, and what is found out about one folder.
  'cli/demo/next.ts': ['line'],
  'cli/doctor/place.ts': ['found.push'],
  'cli/doctor/doctor.ts': ['found.push'],
  'cli/setup/init-report.ts': ['Math.max'],
  'cli/derive/param-options.ts': ['readFileParam', 'readJson', 'readJsonOrText'],
  'io/setup/remove-setup.ts': ['steps.push'],
  'io/setup/set-up.ts': ['steps.push'],
  'setup/json/file.ts': ['made.push', 'splices.push', 'splices.push'],
  // What one event is told as, one brief has room for, one claim takes to say, one thing is
  // shown as, one name is made of, one revision
  // builds on, or one line of the audit trail names.
  'dialects/a2a/encode.ts': ['pieces.push'],
  'domain/repo/newcomer-claims.ts': ['says.push'],
  'domain/plain/receive.ts': ['shadows.push'],
  'domain/search/words.ts': ['words.push'],
  'domain/statements/revision.ts': ['Math.max'],
  'io/audit/buffer.ts': ['same.ids.push'],
  // The repositories in one column of a map, which is folded when there are many.
  'ui/screens/map/layers.ts': ['?.splice'],
  // The two sides of a review, and what one piece of a path holds.
  'domain/contract/review.ts': ['reviewFor'],
  'domain/mock/routes.ts': ['values.push'],
  // What one batch of messages of a hub holds, and the tasks of its connection.
  'engine/replicate/hub/positions.ts': ['found.push'],
  'engine/replicate/hub/session.ts': ['tasks.push'],
  'io/hub/publish.ts': ['outcomes.push'],
  // Two limits, and the fields of a certificate.
  'io/runner/command.ts': ['Math.min'],
  'io/identity/self-signed.ts': ['sequence'],
}

interface Call {
  readonly callee: string
  /** Whether one of its arguments is a list that is spread. */
  hasSpread: boolean
}

/** What stands before the parentheses of each call in which a list is spread. */
function spreadCalls(text: string): string[] {
  const code = codeOf(text)
  const found: string[] = []
  const around: (Call | undefined)[] = []
  for (let at = 0; at < code.length; at++) {
    const character = code.charAt(at)
    if (character === '(')
      around.push({ callee: calleeBefore(code.slice(Math.max(0, at - 100), at)), hasSpread: false })
    else if (character === '[' || character === '{') around.push(undefined)
    else if (character === ')') {
      const call = around.pop()
      const isArrow = /^\s*=>/.test(code.slice(at + 1, at + 10))
      if (call?.hasSpread === true && call.callee !== '' && !isArrow) found.push(call.callee)
    } else if (character === ']' || character === '}') around.pop()
    else if (code.startsWith('...', at)) {
      const call = around.at(-1)
      // With a type it is a parameter, of a function that takes any number of arguments.
      if (call !== undefined && !/^\.{3}\w+:/.test(code.slice(at, at + 100))) call.hasSpread = true
      at += 2
    }
  }
  if (around.length > 0) throw new Error(`parentheses that nobody closes, after ${around[0]?.callee}`)
  return found
}

const calleeBefore = (code: string): string => /[\w#$.?]+(?=(?:<[^()]*>)?$)/.exec(code)?.[0] ?? ''

describe('a list is spread into the arguments of a call', () => {
  test('only where it is known to be short', () => {
    const found: Record<string, string[]> = {}
    for (const file of sourceFiles) {
      const calls = spreadCalls(sourceOf(file))
      if (calls.length > 0) found[file] = calls.sort()
    }
    expect(found).toEqual(SHORT)
  })

  test.each([
    ['list.push(...more)', ['list.push']],
    ['this.#list.push(first, ...more)', ['this.#list.push']],
    ['Math.max(...list.map((one) => one.length))', ['Math.max']],
    ['String.fromCharCode(\n  ...codes,\n)', ['String.fromCharCode']],
    ['a.push(...b.filter(isGood)); c.send(...d)', ['a.push', 'c.send']],
    ['new Thing<Part>(...parts)', ['Thing']],
    ['list?.push(...more)', ['list?.push']],
    ['isMany ? list.push(...more) : 0', ['list.push']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is only looked at
    ['const a = `${b}`; list.push(...more)', ['list.push']],
    ['text.replace(/[(\'"]/g, ""); list.push(...more)', ['list.push']],
  ])('%j is seen', (text, calls) => expect(spreadCalls(text)).toEqual(calls))

  test.each([
    'const all = [...some, ...others]',
    'call({ ...given, more: 1 }, [...list])',
    'const say = (...words: string[]) => words.join()',
    'function say(...words: string[]): string {}',
    'const text = `list.push(...more)` // list.push(...more)',
  ])('%j is none', (text) => expect(spreadCalls(text)).toEqual([]))
})
