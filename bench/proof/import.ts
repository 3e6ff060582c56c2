import type { Bench } from '../bench.ts'
import { type Figure, figure } from '../figure.ts'
import { OPERATIONS, withDocument } from './thousand-operations.ts'

/** What a person waits for who brings a large document along: the whole command, and the same again. */
export async function importSpeed({ workshop, progress }: Bench): Promise<Figure[]> {
  progress.begin('import of a large document')
  const { daemon, run } = await withDocument(workshop)
  const first = run('contract', 'import', 'openapi.json')
  const again = run('contract', 'import', 'openapi.json')
  await daemon.stop()
  if (!first.out.includes(`${OPERATIONS} proposed`))
    throw new Error(`not all was proposed: ${first.out.slice(-200)}`)
  if (!again.out.includes(`${OPERATIONS} as they are`))
    throw new Error(`not all was known: ${again.out.slice(-200)}`)
  return [
    figure({
      name: `import of an OpenAPI document of ${OPERATIONS} operations`,
      unit: 'ms',
      ours: first.millis,
      comparedWith: { name: 'import of the same document again', value: again.millis },
      ratio: first.millis / again.millis,
      goal: { of: 'ours', most: 5000 },
      notes: [
        'whole processes; each operation is one contract, on disk before it counts; progress is told as it goes',
      ],
    }),
  ]
}
