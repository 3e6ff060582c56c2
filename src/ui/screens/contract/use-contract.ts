import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../../call/call.ts'
import { type Shown, useCall } from '../../call/use-call.ts'
import { session } from '../../session/session.ts'
import {
  type Contract,
  type Entry,
  type Packet,
  type Repos,
  type Revision,
  threadOf,
  versionsOf,
} from './reading.ts'

/** Seconds between looks at how far something has come, while it has not arrived everywhere. */
const WHILE_UNDERWAY = 3

/** A contract with its versions, the repos of its project, and all that was said about it. */
export interface WholeContract {
  readonly contract: Shown<Contract>
  readonly versions: readonly Revision[]
  readonly repos: Repos
  readonly projectName: string
  readonly ownRepo: string | undefined
  readonly packets: Shown<{ packets: readonly Packet[] }>
  readonly entries: readonly Entry[]
  /** Loads what was said before the oldest that is there; undefined: that is all. */
  readonly older: (() => void) | undefined
  again(): void
}

export function useContract(projectId: string, contractId: string): WholeContract {
  const about = { projectId, contractId }
  const isUnderway = useSignal(false)
  const contract = useCall('cacp/contract/get', about, {
    kinds: ['contract', 'receipt'],
    projectId,
    id: contractId,
    ...(isUnderway.value ? { everySeconds: WHILE_UNDERWAY } : {}),
  })
  const head = contract.value?.head.revision
  const delivery = contract.value?.delivery
  useEffect(() => {
    isUnderway.value = delivery?.some(({ state }) => state !== 'seen') ?? false
  }, [delivery, isUnderway])
  const whole = useCall('cacp/contract/get', { ...about, includeHistory: true }, { kinds: [] })
  const { again } = whole
  // The versions that there were do not change; only a new one makes it worth asking for all of them again.
  useEffect(() => {
    if (head !== undefined && whole.value !== undefined && whole.value.head.revision !== head) again()
  }, [head, whole.value])
  const overview = useCall('cacp/project/overview', { projectId }, { kinds: ['project', 'repo'], projectId })
  const packets = useCall('cacp/context/list', { ...about, limit: 50 }, { kinds: ['packet'], projectId })
  const past = usePast(about, whole.value, packets.value?.packets)
  const project = overview.value?.projects[0]
  const repos = project?.repos ?? []
  const history = [...past.history, ...(whole.value?.history ?? [])]
  const versions = contract.value === undefined ? [] : versionsOf(contract.value, history)
  const shownPackets = [...past.packets, ...(packets.value?.packets ?? [])]
  const told = contract.value && {
    ...contract.value,
    responses: [...past.responses, ...contract.value.responses],
    verifications: [...past.verifications, ...contract.value.verifications],
    past_implementations: [...past.past_implementations, ...contract.value.past_implementations],
  }
  return {
    contract,
    versions,
    repos,
    projectName: project?.name ?? '',
    ownRepo: repos.find(({ agentId }) => agentId === session.value?.agentId)?.repoId,
    packets,
    entries: told === undefined ? [] : threadOf(told, versions, shownPackets),
    older: past.load,
    again() {
      contract.again()
      packets.again()
    },
  }
}

type Past = Required<Pick<Contract, 'responses' | 'verifications' | 'past_implementations'>> & {
  readonly history: readonly Revision[]
  readonly packets: readonly Packet[]
  readonly before: string | undefined
  readonly hasMorePackets: boolean
}

const PAGE = 50
const NOTHING: Past = {
  responses: [],
  verifications: [],
  past_implementations: [],
  history: [],
  packets: [],
  before: undefined,
  hasMorePackets: true,
}

/** What was said earlier than what comes at once; loaded page by page when somebody wants it. */
function usePast(
  about: { projectId: string; contractId: string },
  whole: Contract | undefined,
  newest: readonly Packet[] | undefined,
): Past & { readonly load: (() => void) | undefined } {
  const past = useSignal<Past | undefined>(undefined)
  const known = past.value ?? NOTHING
  const before = past.value === undefined ? whole?.earlier?.before : known.before
  const oldest = known.packets[0] ?? newest?.[0]
  const hasMorePackets = past.value === undefined ? newest?.length === PAGE : known.hasMorePackets
  const load = async () => {
    const [said, packets] = await Promise.all([
      before === undefined
        ? undefined
        : call('cacp/contract/get', { ...about, includeHistory: true, before }),
      hasMorePackets && oldest !== undefined
        ? call('cacp/context/list', { ...about, limit: PAGE, before: oldest.packet_id })
        : undefined,
    ])
    const page = said?.ok ? said.result : undefined
    const older = packets?.ok ? packets.result.packets : []
    past.value = {
      responses: [...(page?.responses ?? []), ...known.responses],
      verifications: [...(page?.verifications ?? []), ...known.verifications],
      past_implementations: [...(page?.past_implementations ?? []), ...known.past_implementations],
      history: [...(page?.history ?? []), ...known.history],
      packets: [...older, ...known.packets],
      before: said?.ok === false ? before : page?.earlier?.before,
      hasMorePackets: packets?.ok === false ? true : older.length === PAGE,
    }
  }
  return { ...known, load: before === undefined && !hasMorePackets ? undefined : () => void load() }
}
