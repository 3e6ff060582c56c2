import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { idIn, projectIdIn } from '../../../../src/engine/replicate/intake/read-ids.ts'

describe('what a text says it is', () => {
  test('is its last id and project, as they stand there', () => {
    const text = '{"body":{"id":"inner"},"id":"half \ud800 a pair","project_id":"p","sig":"s"}'
    expect(idIn(text)).toBe('half \ud800 a pair')
    expect(projectIdIn(text)).toBe('p')
    expect(idIn('no statement')).toBeUndefined()
  })

  test('can be remembered without keeping the text in memory', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const megabyte = 1024 * 1024
    const textOf = (number: number): string =>
      Buffer.from(`{"a":"${'x'.repeat(megabyte)}","id":"${String(number).padStart(64, '0')}"}`).toString()
    collect()
    const before = process.memoryUsage().heapUsed
    const ids = Array.from({ length: 100 }, (_, number) => idIn(textOf(number)))
    collect()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * megabyte)
    expect(ids.at(-1)).toBe('99'.padStart(64, '0'))
  })
})
