import { useCall } from '../../call/use-call.ts'
import { Part } from '../../frame/part.tsx'
import { Tag } from '../../frame/tag.tsx'
import { useSome } from '../../list/use-some.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { GATE_WORDS } from '../../text/words.ts'
import type { Contract, PartyRow } from './reading.ts'

interface GateProps {
  readonly projectId: string
  readonly contract: Contract
  readonly rows: readonly PartyRow[]
}

const PAGE = 10

/** Whether each party may merge its part of what is in force, why, and what that rests on. */
export function GatePanel({ projectId, contract, rows }: GateProps) {
  const { some, more } = useSome(rows, PAGE)
  if (contract.inForce === null) return null
  const { contract_id, inForce, verifications } = contract
  return (
    <Part title="May it be merged?" class="panel">
      <ul>
        {some.map(({ repoId, name }) => (
          <GateRow key={repoId} projectId={projectId} contractId={contract_id} repo={name} />
        ))}
      </ul>
      {more}
      <EvidenceList of={verifications.filter(({ revision }) => revision === inForce.revision)} />
    </Part>
  )
}

function GateRow(about: { projectId: string; contractId: string; repo: string }) {
  const { projectId, contractId, repo } = about
  const { value, fault } = useCall('cacp/gate/check', about, {
    kinds: ['contract'],
    projectId,
    id: contractId,
  })
  const row = value?.rows[0]
  return (
    <li>
      <Quoted text={repo} most={60} /> {row !== undefined && <Tag said={GATE_WORDS[row.answer]} />}
      {fault !== undefined && <p>{fault.message}</p>}
      {[row?.say, ...(row?.notes ?? [])].map(
        (why) =>
          why !== undefined && (
            <p key={why}>
              <Foreign text={why} />
            </p>
          ),
      )}
      {row?.ask !== undefined && (
        <p class="quiet">
          Ask <Foreign text={row.ask.join(', ')} />
        </p>
      )}
    </li>
  )
}

/** The newest first, as far as the daemon shows them. */
function EvidenceList({ of }: { readonly of: Contract['verifications'] }) {
  const shown = of.flatMap(({ evidence = [], timestamp, by }) =>
    evidence.map((one, index) => ({ one, at: timestamp, key: `${by.statement} ${index}` })),
  )
  if (shown.length === 0) return <p class="quiet">Nobody has tried it with evidence.</p>
  return (
    <>
      <h3>Evidence</h3>
      <ul>
        {shown
          .reverse()
          .slice(0, PAGE)
          .map(({ one, at, key }) => (
            <li key={key}>
              <Quoted text={one.repo} most={60} />{' '}
              {one.kind === 'run' ? (
                <>
                  ran <Foreign text={one.command} />: exit code {one.exitCode}
                </>
              ) : (
                `saw ${one.count} requests, ${one.failed} did not fit; ${one.seen.length} of ${one.of} places`
              )}
              , <Ago at={at} />
            </li>
          ))}
      </ul>
    </>
  )
}
