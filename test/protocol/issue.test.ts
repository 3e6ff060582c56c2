import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { explain } from '../../src/protocol/read-as.ts'

const schema = z.object({
  name: z.string().max(3),
  size: z.int().min(1),
  kind: z.enum(['a', 'b']),
  tags: z.array(z.string()).min(1),
  flag: z.boolean(),
  either: z.union([z.string().max(2), z.boolean()]),
  code: z.string().regex(/^x/, 'must begin with x'),
})
const GOOD = { name: 'n', size: 1, kind: 'a', tags: ['t'], flag: true, either: 'e', code: 'x' }

describe('what is wrong with an input is said in our own words', () => {
  test.each([
    [{ name: undefined }, 'name', 'must be text', true],
    [{ name: 7 }, 'name', 'must be text', false],
    [{ name: 'long' }, 'name', 'must have at most 3 characters', false],
    [{ size: 0 }, 'size', 'must be at least 1', false],
    [{ size: 1.5 }, 'size', 'must be a whole number', false],
    [{ kind: 'c' }, 'kind', 'must be one of a, b', false],
    [{ tags: [] }, 'tags', 'must have at least 1 item', false],
    [{ tags: ['t', 1] }, 'tags.1', 'must be text', false],
    [{ flag: 'yes' }, 'flag', 'must be true or false', false],
    [{ either: 7 }, 'either', 'must be text', false],
    [{ code: 'y' }, 'code', 'must begin with x', false],
  ])('%o', (wrong, field, problem, isMissing) => {
    const parsed = schema.safeParse({ ...GOOD, ...wrong })
    expect(parsed.error && explain(parsed.error)).toEqual({ field, problem, isMissing })
  })
})
