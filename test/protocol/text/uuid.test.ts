import { expect, test } from 'vitest'
import { Uuid } from '../../../src/protocol/text/uuid.ts'

const ID = '123e4567-e89b-12d3-a456-426614174000'

test.each([ID, ID.toUpperCase(), ID.replaceAll('-', ''), `{${ID}}`, `urn:uuid:${ID}`])(
  '%s is that UUID',
  (text) => {
    expect(Uuid.parse(text)).toBe(ID)
  },
)

test.each(['', 'not-a-uuid', `{${ID}`, `${ID}0`, ID.slice(1), ` ${ID}`, 5, null])('%j is none', (value) => {
  expect(Uuid.safeParse(value).success).toBe(false)
})
