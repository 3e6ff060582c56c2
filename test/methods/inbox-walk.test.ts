import { describe, expect, test } from 'vitest'
import { MEMBERS, openScene, STATES } from '../support/desk/contract-states.ts'
import { doWhatIsDue } from '../support/desk/follow-advice.ts'

/** Whoever does what the inbox says, as it says it, comes to an end, and so does everybody else. */

const ENDS: Record<string, string> = {
  withdrawn: 'proposed',
  retired: 'agreed',
  'of an archived project': 'agreed',
}

describe('when all do what their inboxes say, a contract is verified in the end that was', () => {
  test.each(Object.keys(STATES))('%s', async (state) => {
    await using scene = await openScene()
    await STATES[state]?.(scene)
    await doWhatIsDue(scene)
    const { status, conflicts } = await scene.as.author('cacp/contract/get', scene.ids)
    expect({ status, conflicts }).toEqual({ status: ENDS[state] ?? 'verified', conflicts: [] })
    for (const who of MEMBERS) expect(await scene.as[who]('cacp/inbox/list', {})).toMatchObject({ count: 0 })
  })
})
