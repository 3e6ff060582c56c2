import { Answer } from '../../frame/answer.tsx'
import { usePageTitle } from '../../frame/count.ts'
import { useKey } from '../../frame/keys.ts'
import { Link } from '../../router/link.tsx'
import type { ScreenProps } from '../../router/route.ts'
import { goBack, show } from '../../router/router.ts'
import { Conversation } from './conversation.tsx'
import { useThread } from './use-thread.ts'

/** A question and all that was said about it. */
export function ThreadScreen({ route: { ids, query } }: ScreenProps) {
  const [projectId = '', packetId = ''] = ids
  const { thread, next, more } = useThread(projectId, packetId)
  usePageTitle('Conversation')
  useKey('r', 'reply…: opens the form', () => show({ act: 'reply' }))
  useKey('Escape', 'go back', goBack)
  return (
    <div class="conversation-page">
      <p class="crumbs">
        <Link to={{ screen: 'inbox' }}>Inbox</Link>
      </p>
      <h1>Conversation</h1>
      <h2 class="visually-hidden">What was said</h2>
      <Answer of={thread}>
        {(value) => (
          <Conversation
            projectId={projectId}
            packetId={packetId}
            thread={value}
            next={next}
            more={more}
            act={query['act']}
            acted={thread.again}
          />
        )}
      </Answer>
    </div>
  )
}
