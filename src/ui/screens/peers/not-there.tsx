import { useCall } from '../../call/use-call.ts'
import { Answer } from '../../frame/answer.tsx'
import { Part } from '../../frame/part.tsx'
import { Link } from '../../router/link.tsx'
import type { Destination } from '../../router/route.ts'
import { Ago } from '../../text/ago.tsx'
import { Quoted } from '../../text/foreign.tsx'
import { PEERS_LIVE } from './health.ts'

const SHOWN = 50

/** What a peer has not got yet, and why. */
export function NotThere({ to }: { readonly to: string }) {
  const outbox = useCall(
    'cacp/outbox/list',
    { to, limit: SHOWN },
    { ...PEERS_LIVE, kinds: ['contract', 'packet'] },
  )
  return (
    <Part title="Not there yet">
      <Answer
        of={outbox}
        empty={({ items }) => items.length === 0 && <p class="quiet">It has everything that is here.</p>}
      >
        {({ items, more }) => (
          <>
            <ul class="rows">
              {items.map(({ kind, projectId, id, name, since, why }) => (
                <li key={`${kind} ${id}`} class="line-row">
                  <span>{kind}</span>
                  <span>
                    <Named
                      to={kind === 'contract' ? { screen: 'contract', ids: [projectId, id] } : undefined}
                      name={name}
                    />
                    <span class="quiet">
                      {' '}
                      <Quoted text={why} most={300} />
                    </span>
                  </span>
                  <Ago at={since} />
                </li>
              ))}
            </ul>
            {more && <p class="quiet">These are the first {SHOWN}; there is more.</p>}
          </>
        )}
      </Answer>
    </Part>
  )
}

function Named({ to, name }: { readonly to: Destination | undefined; readonly name: string }) {
  return to === undefined ? (
    <Quoted text={name} />
  ) : (
    <Link to={to}>
      <Quoted text={name} />
    </Link>
  )
}
