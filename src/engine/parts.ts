import type { Self } from '../domain/env.ts'
import type { View } from '../domain/view.ts'
import type { ChangeLog } from './log/change-log.ts'
import type {
  Clock,
  Files,
  NewSecret,
  PeerClient,
  Random,
  RotatingIdentity,
  Store,
  Timers,
  VerifySignature,
  VerifyText,
} from './ports/ports.ts'
import type { Digests } from './replicate/cacpd/digests.ts'
import type { StatementLog } from './replicate/cacpd/statement-log.ts'
import type { Heard } from './replicate/intake/heard.ts'
import type { Intake } from './replicate/intake/intake.ts'
import type { Refusals } from './replicate/link/refusals.ts'
import type { BootIds } from './replicate/peer/boot-ids.ts'
import type { Clocks } from './replicate/peer/clocks.ts'
import type { Replicator } from './replicate/replicator.ts'
import type { ReplicationRules } from './replicate/rules.ts'
import type { SearchIndex } from './search/search-index.ts'

/** What the engine is put together from: its ports, and the parts that others use. Each part picks what it needs. */
export interface Parts {
  readonly self: Self
  readonly store: Store
  readonly view: View
  readonly files: Files
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly client: PeerClient
  readonly identity: RotatingIdentity
  readonly verify: VerifySignature
  readonly verifyText: VerifyText
  readonly newSecret: NewSecret
  readonly rules: ReplicationRules
  readonly log: ChangeLog
  readonly statements: StatementLog
  readonly digests: Digests
  readonly intake: Intake
  /** What this daemon refused of each peer. */
  readonly refusals: Refusals
  readonly heard: Heard
  readonly clocks: Clocks
  readonly bootIds: BootIds
  readonly replicator: Replicator
  readonly index: SearchIndex
  /** Lets other work have its turn. */
  readonly pause: () => Promise<void>
  /** Called with every failure that no caller is waiting to hear about. Left out where nobody reads that. */
  readonly failed?: ((error: unknown) => void) | undefined
}
