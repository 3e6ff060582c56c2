import type { Json } from '../../protocol/json/json.ts'
import { UsageError } from '../program/report.ts'

/** `what` names it in errors. What comes out is a tree: where an alias stands for what is around it, there is no JSON for it. */
export async function parseYaml(text: string, what: string): Promise<Json> {
  const { parse, YAMLParseError } = await import('yaml')
  try {
    return JSON.parse(JSON.stringify(parse(text, { merge: true, logLevel: 'error' }) ?? null)) as Json
  } catch (error) {
    if (error instanceof YAMLParseError && error.code === 'MULTIPLE_DOCS')
      throw new UsageError(`${what} has more than one YAML document: keep the one that is meant`)
    const [problem = ''] = (error as Error).message.split('\n')
    throw new UsageError(`${what} is neither JSON nor YAML: ${problem.replace(/:$/, '')}`)
  }
}
