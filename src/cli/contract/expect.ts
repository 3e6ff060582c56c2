import { TOLERANCES } from '../../domain/interface/model.ts'
import type { ResultOf } from '../../methods/table.ts'
import { methodForm } from '../derive/method-form.ts'
import { printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'
import { describeReview } from './describe-review.ts'

type Expected = ResultOf<'cacp/contract/expect'>
type Unused = ResultOf<'cacp/contract/unused'>

export const expect = methodForm('cacp/contract/expect', {
  options: {
    '--site <use=file:line...>': 'where a place is used, such as response.200.body.email=src/api/user.ts:41',
  },
  examples: [
    "cacpd contract expect 'Get User Profile' --uses response.200.body.id --tolerates new_enum_values",
    "cacpd contract expect 'Get User Profile' --uses all --tolerates none",
  ],
  adjust: ({ uses, tolerates, sites, ...params }, { site }) => ({
    ...params,
    ...(uses === undefined ? {} : { uses: isWord(uses, 'all') ? null : listOf(uses) }),
    ...(tolerates === undefined ? {} : { tolerates: listOf(tolerates) }),
    ...(sites === undefined && site === undefined
      ? {}
      : { sites: { ...(sites as object | undefined), ...sitesIn(site ?? []) } }),
  }),
  show: (result, screen) => describeExpected(result, screen),
})

const isWord = (given: unknown, word: string): boolean =>
  Array.isArray(given) && given.length === 1 && given[0] === word

/** `none` stands for an empty list, which a command line cannot say. */
const listOf = (given: unknown): unknown => (isWord(given, 'none') ? [] : given)

function sitesIn(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((one) => {
      const cut = one.indexOf('=')
      if (cut > 0 && cut < one.length - 1) return [one.slice(0, cut), one.slice(cut + 1)]
      throw new UsageError(`--site: ${one} is not of the form PLACE=FILE:LINE`)
    }),
  )
}

function describeExpected({ repo, side, uses, tolerates, sites, review }: Expected, look: Terminal): string {
  const places = (uses ?? []).map((use) => (sites[use] === undefined ? use : `${use} (${sites[use]})`))
  const used = uses === null ? 'all of it' : places.join(', ') || 'nothing'
  return [
    printableLine(`${repo} (${side}) uses ${used}`),
    printableLine(`tolerates ${tolerates.join(', ') || `none of ${TOLERANCES.join(', ')}`}`),
    ...(review === undefined ? [] : [describeReview(review, look)]),
  ].join('\n')
}

export const unused = methodForm('cacp/contract/unused', { show: (result) => describeUnused(result) })

function describeUnused({ version, unused: places, heard, silent, truncated }: Unused): string {
  return [
    ...(heard.length === 0 ? [] : [`not used of version ${version} by ${heard.join(', ')}:`]),
    ...(heard.length > 0 && places.length === 0 ? ['nothing: all of it is used'] : places),
    ...(truncated === true ? ['and more'] : []),
    ...(silent.length === 0 ? [] : [notSaid(silent)]),
  ]
    .map(printableLine)
    .join('\n')
}

const notSaid = (silent: readonly string[]): string =>
  `${silent.join(', ')} ${silent.length === 1 ? 'has' : 'have'} not said what of it is used, with cacpd contract expect`
