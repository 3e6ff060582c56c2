import { expect, test } from 'vitest'
import { lookAround } from '../../../src/cli/demo/next.ts'

test('what is to be pasted after a demo means its own folder, also where there are blanks in the name', async () => {
  const play = { folder: "/tmp/my files/it's/cacpd-demo-1", pids: [1, 2] }
  const text = await lookAround(play, { env: {}, colour: false })
  const quoted = (name: string) => `'/tmp/my files/it'\\''s/cacpd-demo-1${name}'`
  expect(text).toContain(`  cd ${quoted('/backend-api')}\n`)
  expect(text).toContain(`  cd ${quoted('/frontend-app')} `)
  expect(text).toContain(`  kill 1 2 && rm -r ${quoted('')}\n`)
})
