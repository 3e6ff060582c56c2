import { resolve } from 'node:path'
import type { Left } from '../../domain/documents/item.ts'
import type { InForce } from '../../domain/types/types.ts'
import { saveWhole } from '../../io/place/save-whole.ts'
import { printResult } from '../form/answer.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, PROJECT } from '../form/options.ts'
import { withDaemon } from '../form/with-daemon.ts'
import { printableLine } from '../output/printable.ts'
import { UsageError } from '../program/report.ts'
import { contractsInForce } from './read-contracts.ts'

export const exportContracts = command({
  about: 'Write all contracts in force as one document.',
  options: {
    '--openapi': 'OpenAPI 3.1: what is called over HTTP',
    '--asyncapi': 'AsyncAPI 3.0: events',
    '--markdown': 'a page for people: all of them',
    '-o, --output <file>': 'where to write it, as YAML if it is called .yaml or .yml (default: print it)',
    '--title <text>': 'title of the document (default: Contracts)',
    ...PROJECT,
    ...AGENT_ID,
  },
  examples: ['cacpd contract export --openapi -o openapi.yaml'],
  run: async (given, terminal) => {
    const { openapi, asyncapi, markdown, output, title = 'Contracts', project } = given
    const wanted = { openapi, asyncapi, markdown }
    const [form, ...more] = FORMS.filter((name) => wanted[name] === true)
    if (form === undefined || more.length > 0)
      throw new UsageError('Name one form: --openapi, --asyncapi or --markdown')
    if (output === '') throw new UsageError('--output: must not be empty')
    const contracts = await withDaemon(given, terminal, (client) => contractsInForce(client, project))
    const isYaml = /\.ya?ml$/i.test(output ?? '')
    const { text, left } = await written(form, contracts, { title, isYaml })
    const path = output === undefined ? undefined : resolve(terminal.cwd, output)
    if (path === undefined) terminal.print(text)
    else {
      await saveWhole(path, text)
      printResult({ savedTo: path, contracts: contracts.length - left.length, left }, given, terminal)
    }
    for (const { name, why } of left)
      terminal.complain(printableLine(`left out: ${name}: ${why}`).concat('\n'))
  },
})

const FORMS = ['openapi', 'asyncapi', 'markdown'] as const

/** Only what the form needs is loaded. */
async function written(
  form: (typeof FORMS)[number],
  contracts: readonly InForce[],
  { title, isYaml }: { title: string; isYaml: boolean },
): Promise<{ text: string; left: readonly Left[] }> {
  if (form === 'markdown') {
    const { toMarkdown } = await import('../../domain/documents/to-markdown.ts')
    return { text: toMarkdown(contracts, title), left: [] }
  }
  const write =
    form === 'openapi'
      ? (await import('../../domain/documents/to-openapi.ts')).toOpenApi
      : (await import('../../domain/documents/to-asyncapi.ts')).toAsyncApi
  const { document, left } = write(contracts, title)
  if (!isYaml) return { text: `${JSON.stringify(document, null, 2)}\n`, left }
  const { stringify } = await import('yaml')
  return { text: stringify(document, { aliasDuplicateObjects: false }), left }
}
