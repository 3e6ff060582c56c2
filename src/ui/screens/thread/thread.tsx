import { useCallback, useEffect } from 'preact/hooks'
import { useCall } from '../../call/use-call.ts'
import { Answer } from '../../frame/answer.tsx'
import { pageTitle } from '../../frame/count.ts'
import { useKey } from '../../frame/keys.ts'
import type { ScreenProps } from '../../frame/screen-props.ts'
import { Link } from '../../router/link.tsx'
import { goBack, show } from '../../router/router.ts'
import { Conversation } from './conversation.tsx'

/** A question and all that was said about it. */
export function ThreadScreen({ route: { ids, query } }: ScreenProps) {
  const [projectId = '', packetId = ''] = ids
  const thread = useCall('cacp/context/getThread', { projectId, packetId }, { kinds: ['packet'], projectId })
  useEffect(() => {
    pageTitle.value = 'Conversation'
  }, [])
  useKey(
    'r',
    'reply…: opens the form',
    useCallback(() => show({ act: 'reply' }), []),
  )
  useKey('Escape', 'go back', goBack)
  return (
    <div class="conversation-page">
      <p class="crumbs">
        <Link to={{ screen: 'inbox' }}>Inbox</Link>
      </p>
      <h1>Conversation</h1>
      <Answer of={thread}>
        {(value) => (
          <Conversation
            projectId={projectId}
            packetId={packetId}
            packets={value.thread}
            act={query['act']}
            acted={thread.again}
          />
        )}
      </Answer>
    </div>
  )
}
