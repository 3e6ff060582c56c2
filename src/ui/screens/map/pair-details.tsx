import { useCall } from '../../call/use-call.ts'
import { Answer } from '../../frame/answer.tsx'
import { Tag } from '../../frame/tag.tsx'
import { Link } from '../../router/link.tsx'
import { project } from '../../router/router.ts'
import { Ago } from '../../text/ago.tsx'
import { Quoted } from '../../text/foreign.tsx'
import { STATUS_WORDS } from '../../text/words.ts'
import type { MapRepo } from './map-data.ts'
import type { RepoPair } from './pairs.ts'
import { describeStanding } from './state.ts'

const SHOWN = 50

/** The contracts between two repositories. */
export function PairDetails({ pair, repos: [a, b] }: { pair: RepoPair; repos: readonly [MapRepo, MapRepo] }) {
  const inProject = project.value === undefined ? { allProjects: true } : { projectId: project.value }
  const list = useCall(
    'cacp/contract/list',
    { ...inProject, order: 'newest', repo: a.name, with: b.name, limit: SHOWN },
    { kinds: ['contract'] },
  )
  return (
    <>
      <h2>
        <Quoted text={a.name} /> and <Quoted text={b.name} />
      </h2>
      <p>{describeStanding(pair.standing)}</p>
      <Answer
        of={list}
        empty={({ contracts }) => contracts.length === 0 && <p class="quiet">No contract any more.</p>}
      >
        {({ contracts, nextCursor }) => (
          <>
            <ul class="rows">
              {contracts.map(({ projectId, contractId, name, status, version, updatedAt, conflictCount }) => (
                <li key={`${projectId} ${contractId}`}>
                  <Link to={{ screen: 'contract', ids: [projectId, contractId] }}>
                    <Tag said={STATUS_WORDS[status]} />
                    {conflictCount > 0 && <Tag said={{ word: 'conflict', icon: 'fork', tone: 'bad' }} />}
                    <Quoted text={name} most={80} /> <span class="version">v{version}</span>
                    <Ago at={updatedAt} isShort />
                  </Link>
                </li>
              ))}
            </ul>
            {nextCursor !== undefined && <p class="quiet">The last {SHOWN} that changed.</p>}
          </>
        )}
      </Answer>
      <p>
        <Link to={{ screen: 'contracts', query: { project: project.value, repo: a.name, with: b.name } }}>
          Show them in the list of contracts
        </Link>
      </p>
    </>
  )
}
