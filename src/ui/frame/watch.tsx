import { useEffect, useRef } from 'preact/hooks'
import { useCall } from '../call/use-call.ts'
import { go } from '../router/router.ts'
import { session } from '../session/session.ts'
import { waitingCount } from './count.ts'
import { notify } from './notices.ts'

/** Our own words for what only a person can do. */
const SENTENCES = {
  approve_peer: 'Another daemon asks to be let in.',
  claim_lost: 'Another agent holds this repository now.',
  settle_claims: 'Two agents claim the same repository.',
  resolve_conflict: 'A conflict of a contract waits for a person.',
  trust_config: 'A command in the settings is not trusted yet.',
  allow_agent: 'Work was refused, because nothing allows it.',
  repair: 'Something about this daemon has to be repaired.',
} as const

/** Counts what waits for a person, on every screen, and tells those who want to be told. */
export function Watch() {
  const { value } = useCall(
    'cacp/person/todo',
    { limit: 0 },
    { kinds: ['project', 'repo', 'contract', 'packet'], local: ['peers', 'runs', 'work'], everySeconds: 60 },
  )
  const known = useRef<ReadonlySet<string> | undefined>(undefined)
  useEffect(() => {
    if (value === undefined) return
    waitingCount.value = value.counts.total
    const before = known.current
    known.current = new Set(value.person.map(({ id }) => id))
    if (before === undefined || document.visibilityState === 'visible') return
    for (const { id, kind } of value.person.filter((task) => !before.has(task.id)))
      notify({
        id,
        title: `cacpd · ${session.value?.repo ?? ''}`,
        text: SENTENCES[kind],
        open: () => go({ screen: 'inbox', query: { item: id } }),
      })
  }, [value])
  return null
}
