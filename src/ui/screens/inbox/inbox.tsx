import { useEffect } from 'preact/hooks'
import { useCall } from '../../call/use-call.ts'
import { Answer, Empty } from '../../frame/answer.tsx'
import { pageTitle, waitingCount } from '../../frame/count.ts'
import { Icon } from '../../frame/icon.tsx'
import type { ScreenProps } from '../../frame/screen-props.ts'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'

/** What waits for a person, what the agent has, and whom this repository waits for. */
export function Inbox({ route: { query } }: ScreenProps) {
  const inProject = query['project'] === undefined ? {} : { projectId: query['project'] }
  const inbox = useCall('cacp/inbox/list', { ...inProject, limit: 200 })
  useEffect(() => {
    pageTitle.value = 'Inbox'
    waitingCount.value = inbox.value?.count ?? 0
  }, [inbox.value])
  return (
    <>
      <h1>Inbox</h1>
      <Answer
        of={inbox}
        empty={({ items, waitingFor }) =>
          items.length + waitingFor.length === 0 && <Empty title="Nothing waits." />
        }
      >
        {({ items }) => (
          <ul class="rows">
            {items.map(({ id, about, from, why, since, projectId }) => (
              <li key={id}>
                <Link to={{ screen: 'contract', ids: [projectId, about.id] }}>
                  <Icon name="contract" />
                  <Quoted text={about.name} />
                  <span>
                    <Foreign text={why} /> <Foreign text={from.repo} />
                  </span>
                  <Ago at={since} isShort />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </>
  )
}
