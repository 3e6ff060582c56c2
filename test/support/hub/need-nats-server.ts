import { beforeEach } from 'vitest'
import { WITHOUT_NATS } from './nats-server.ts'

/** Skips the tests of a file where no server can be started; the last lines of the run say how many that were. */
export function needNatsServer(): void {
  beforeEach(({ skip }) => {
    if (WITHOUT_NATS !== undefined) skip(WITHOUT_NATS)
  })
}
