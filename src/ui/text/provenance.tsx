import { Icon } from '../frame/icon.tsx'
import { Foreign, Quoted } from './foreign.tsx'

/** Who said something, as the daemon tells it. */
export interface By {
  readonly agent_id: string
  readonly proof: 'signed' | 'reported'
  readonly reported_by?: string | undefined
  readonly mark?: string | undefined
  readonly by_person?: unknown
  readonly revoked?: boolean | undefined
}

const MARKS: Readonly<Record<string, string>> = {
  unconfirmed: 'its claim of the repository is not confirmed',
  released: 'it has left the repository since',
  rotated: 'its key was replaced since',
  settled: 'its claim was settled against it since',
  outranked: 'another claim counts before its own',
}

/** Stands beside everything that others wrote: the repository, its agent or a person, and what proves it. */
export function Provenance({
  repo,
  by,
  isOwn,
}: {
  readonly repo: string
  readonly by: By
  readonly isOwn: boolean
}) {
  const isPerson = by.by_person !== undefined && by.by_person !== false
  const doubts = [
    ...(by.proof === 'reported' ? ['heard by another daemon, not signed by its own'] : []),
    ...(by.mark === undefined ? [] : [MARKS[by.mark] ?? by.mark]),
    ...(by.revoked ? ['revoked here since'] : []),
  ]
  return (
    <span class="provenance">
      <Icon name={isPerson ? 'person' : 'agent'} />
      <span>
        {isPerson ? 'a person at ' : 'the agent of '}
        <Quoted text={repo} most={60} />
        {isOwn ? ' (this repository)' : ''}
      </span>
      <span class="quiet agent-id">
        <Foreign text={by.agent_id} />
      </span>
      {doubts.length > 0 && (
        <span class="doubt">
          <Icon name="warning" />
          {doubts.join('; ')}
        </span>
      )}
    </span>
  )
}
