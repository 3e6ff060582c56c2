import { beforeEach } from 'vitest'
import { WITHOUT_BROWSER } from './launch.ts'

beforeEach(({ skip }) => {
  if (WITHOUT_BROWSER !== undefined) skip(WITHOUT_BROWSER)
})
