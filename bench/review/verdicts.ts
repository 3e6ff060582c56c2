import { reviewPair } from '../../src/domain/interface/review.ts'
import type { Bench } from '../bench.ts'
import { installComparison } from '../comparison.ts'
import { type Figure, figure } from '../figure.ts'
import { ForeignJudge } from './ask-foreign.ts'
import { corpus, type Pair } from './corpus.ts'
import { countsOf, type Outcome, outcomeOf, scoreOf } from './score.ts'
import { TAKES, type ToolName } from './tools.ts'

type Counts = Record<Outcome, number>

/** How often verdicts are what a careful person says, beside the tools that people use today. */
export async function verdicts({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('verdicts on the corpus')
  installComparison(progress)
  const pairs = corpus()
  const ours = countsOf(ourScore(pairs))
  const figures: Figure[] = [
    figure({
      name: 'pairs judged right ÷ all pairs',
      unit: 'pairs',
      ours: ours.right,
      comparedWith: { name: 'in all forms', value: pairs.length },
      ratio: ours.right / pairs.length,
      goal: { of: 'ratio', least: 0.95 },
      notes: [words(ours)],
    }),
    figure({
      name: 'pairs called compatible that are not',
      unit: 'pairs',
      ours: ours['false OK'],
      comparedWith: { name: 'in all forms', value: pairs.length },
      ratio: ours['false OK'] / pairs.length,
      goal: { of: 'ours', most: 0 },
      notes: [],
    }),
  ]
  for (const tool of Object.keys(TAKES) as ToolName[]) {
    const given = pairs.filter((pair) => TAKES[tool](pair) !== undefined)
    const chosen = given.filter((_, index) => index % brevity === 0)
    progress.step(tool)
    figures.push(
      beside(tool, countsOf(ourScore(chosen)), countsOf(await scoreOfTool(tool, chosen, workshop))),
    )
  }
  return figures
}

const ourScore = (pairs: readonly Pair[]) =>
  scoreOf(pairs, ({ type, before, after }) => reviewPair(type, before, after).verdict)

async function scoreOfTool(
  tool: ToolName,
  pairs: readonly Pair[],
  workshop: Bench['workshop'],
): Promise<{ outcome: Outcome }[]> {
  const judge = new ForeignJudge(workshop, tool)
  const scored: { outcome: Outcome }[] = []
  for (const pair of pairs) {
    const given = TAKES[tool](pair)
    if (given !== undefined) scored.push({ outcome: outcomeOf(pair.verdict, await judge.ask(given)) })
  }
  judge.end()
  return scored
}

function beside(tool: ToolName, ours: Counts, theirs: Counts): Figure {
  const given = Object.values(ours).reduce((sum, count) => sum + count, 0)
  return figure({
    name: `pairs judged right, of ${given} that ${tool} can read`,
    unit: 'pairs',
    ours: ours.right,
    comparedWith: { name: tool, value: theirs.right },
    ratio: ours.right / theirs.right,
    goal: { of: 'ratio', least: 1 },
    notes: [`ours: ${words(ours)}; ${tool}: ${words(theirs)}`],
  })
}

const words = (counts: Counts): string =>
  Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')
