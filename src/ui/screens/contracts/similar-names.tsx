import { useCall } from '../../call/use-call.ts'
import { Link } from '../../router/link.tsx'
import { Quoted } from '../../text/foreign.tsx'

/** Contracts with similar words, where no name contains what was typed. */
export function SimilarNames({
  words,
  project,
}: {
  readonly words: string
  readonly project: string | undefined
}) {
  const { value } = useCall(
    'cacp/search',
    { query: words, kind: 'contract', limit: 5, ...(project === undefined ? {} : { project }) },
    { kinds: [] },
  )
  if (value === undefined || value.hits.length === 0) return null
  return (
    <>
      <p>These have similar words:</p>
      <ul class="listed">
        {value.hits.map(({ projectId, id, name }) => (
          <li key={id}>
            <Link to={{ screen: 'contract', ids: [projectId, id] }}>
              <Quoted text={name} most={80} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
