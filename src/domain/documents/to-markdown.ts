import { MOST_WORK_OF_COMMAND } from '../interface/budget.ts'
import { readInterface } from '../interface/review.ts'
import { markdownOf } from '../names/markdown.ts'
import { catalogueOf } from '../types/catalogue.ts'
import { declareContract } from '../types/contract-types.ts'
import type { InForce } from '../types/types.ts'
import { declared } from '../types/typescript.ts'

/** One page for people: each contract with what is called or sent, and its types as TypeScript. */
export function toMarkdown(contracts: readonly InForce[], title: string): string {
  const catalogue = catalogueOf([])
  const sections = contracts.map(({ name, type, version, content }) => {
    const read = readInterface(type, content, MOST_WORK_OF_COMMAND)
    const why = declareContract(catalogue, name, read)
    const keys = read.operations.filter(({ slots }) => slots.length > 0).map(({ key }) => key)
    const types = catalogue.takeNew().map(declared).join('')
    return [
      `## ${markdownOf(name)}`,
      `Version ${version}, ${read.form}${keys.length === 0 ? '' : `: ${keys.map(markdownOf).join(', ')}`}${why === undefined ? '' : `; ${markdownOf(why)}`}`,
      ...(types === '' ? [] : [`\`\`\`ts\n${types}\`\`\``]),
    ].join('\n\n')
  })
  return `${[`# ${markdownOf(title)}`, ...sections].join('\n\n')}\n`
}
