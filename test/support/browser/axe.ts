import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2 A and AA, and what is good besides. */
const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules that depend on colours; all others find the same in every theme. */
const OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** What a page has that keeps people from using it, a line for each; empty is right. */
export const accessFindings = (page: Page): Promise<string[]> => findings(page, ALL)

/** The same, as far as it depends on colours. */
export const colourFindings = (page: Page): Promise<string[]> => findings(page, OF_COLOURS)

async function findings(page: Page, runOnly: unknown): Promise<string[]> {
  // Evaluated by the debugger, because the page itself lets no other script in.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const found = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false })})`,
  )
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}
