import { useCall, useJson } from '../../call/use-call.ts'
import { Answer } from '../../frame/answer.tsx'
import { Fact, Facts } from '../../frame/facts.tsx'
import { Part } from '../../frame/part.tsx'
import { Tag } from '../../frame/tag.tsx'
import { session } from '../../session/session.ts'
import { bytes, lasting } from '../../text/figures.ts'
import { Foreign } from '../../text/foreign.tsx'
import type { Said } from '../../text/words.ts'

/** What the daemon tells of itself to who may read. */
interface DaemonHealth {
  readonly status: 'healthy' | 'degraded'
  readonly reason?: string
  readonly next?: string
  readonly version: string
  readonly uptimeSeconds: number
  readonly warnings: readonly string[]
  readonly hub?: {
    readonly state: string
    readonly troubles: readonly { readonly message: string; readonly next: string }[]
  }
  readonly store: { readonly bytes: number; readonly quotaBytes: number }
}

const HEALTH: Readonly<Record<DaemonHealth['status'], Said>> = {
  healthy: { word: 'healthy', icon: 'check', tone: 'good' },
  degraded: { word: 'degraded', icon: 'warning', tone: 'bad' },
}

/** The daemon that this page is of. */
export function OwnDaemon() {
  const health = useJson<DaemonHealth>('/health', { kinds: [], everySeconds: 10 })
  const identity = useCall('cacp/identity/get', {}, { kinds: [] })
  const whose = session.value
  return (
    <Part
      title="This daemon"
      class="part panel"
      acts={health.value !== undefined && <Tag said={HEALTH[health.value.status]} />}
    >
      <Answer of={health}>
        {({ reason, next, version, uptimeSeconds, store, warnings, hub }) => (
          <>
            {reason !== undefined && (
              <p class="banner">
                {reason}. {next}
              </p>
            )}
            {warnings.map((warning) => (
              <p key={warning} class="banner">
                <Foreign text={warning} />
              </p>
            ))}
            {hub?.troubles.map(({ message, next }) => (
              <p key={message} class="banner">
                <Foreign text={message} />. {next}
              </p>
            ))}
            <Facts>
              <Fact name="Repository">{whose?.repo}</Fact>
              <Fact name="Six words of its key">
                <strong>{whose?.words}</strong>
              </Fact>
              <Fact name="Address">{whose?.baseUrl}</Fact>
              <Fact name="Agent ID">{whose?.agentId}</Fact>
              <Fact name="Version">{version}</Fact>
              <Fact name="Running for">{lasting(uptimeSeconds)}</Fact>
              <Fact name="Store">
                {bytes(store.bytes)} of {bytes(store.quotaBytes)}
              </Fact>
              <Fact name="Hub">{hub?.state ?? 'None; cacpd hub connect URL joins one'}</Fact>
              {identity.value !== undefined && identity.value.rotations > 0 && (
                <Fact name="Keys before this one">{identity.value.rotations}</Fact>
              )}
            </Facts>
          </>
        )}
      </Answer>
    </Part>
  )
}
