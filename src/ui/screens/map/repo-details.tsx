import { useCall } from '../../call/use-call.ts'
import { Fact, Facts } from '../../frame/facts.tsx'
import { Tag } from '../../frame/tag.tsx'
import { Link } from '../../router/link.tsx'
import { project } from '../../router/router.ts'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { GATE_WORDS } from '../../text/words.ts'
import { noteOfRepo } from './labels.ts'
import type { MapRepo } from './map-data.ts'

/** What the map knows of one repository. */
export function RepoDetails({ repo }: { readonly repo: MapRepo }) {
  const { name, role, agentId, trust, isOwn } = repo
  return (
    <>
      <h2>
        <Quoted text={name} />
      </h2>
      <Facts>
        <Fact name="Role" text={role} />
        <Fact name="How it is">{noteOfRepo(repo)}</Fact>
        {!isOwn && <Fact name="Trust">{trust ?? 'not a peer of this daemon'}</Fact>}
        <Fact name="Its parts">
          <MayMerge repo={name} />
        </Fact>
        <Fact name="Agent ID">{agentId === null ? 'none yet' : <Foreign text={agentId} />}</Fact>
      </Facts>
      <p>
        <Link to={{ screen: 'contracts', query: { project: project.value, repo: name } }}>Its contracts</Link>
        {!isOwn && trust !== null && agentId !== null && (
          <>
            {' · '}
            <Link to={{ screen: 'peers', ids: [agentId] }}>Its daemon</Link>
          </>
        )}
      </p>
    </>
  )
}

/** The worst of its contracts is the answer of all of them. */
function MayMerge({ repo }: { readonly repo: string }) {
  const projectId = project.value
  const { value, fault } = useCall(
    'cacp/gate/check',
    projectId === undefined ? undefined : { projectId, repo },
    {
      kinds: ['contract'],
      ...(projectId === undefined ? {} : { projectId }),
    },
  )
  if (value === undefined) return <>{fault?.message}</>
  const [worst] = value.rows
  return (
    <>
      <Tag said={GATE_WORDS[value.answer]} />{' '}
      {worst !== undefined && worst.answer !== 'yes' && <Foreign text={`${worst.name}: ${worst.say}`} />}
    </>
  )
}
