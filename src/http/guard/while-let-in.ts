import type { Caller } from '../../domain/env.ts'
import { isShutOut } from '../../domain/peers/refused-by-peer.ts'
import type { View } from '../../domain/view.ts'
import { keyNeeded } from '../../engine/dispatch/access.ts'

/** The same bytes, but whoever is shut out in the midst of them neither gives nor gets the rest. */
export async function* whileLetIn(bytes: AsyncIterable<Uint8Array>, caller: Caller, view: View) {
  const assertLetIn = () => {
    if (isShutOut(caller, view)) throw keyNeeded('The rest of this file')
  }
  for await (const chunk of bytes) {
    assertLetIn()
    yield chunk
  }
  assertLetIn()
}
