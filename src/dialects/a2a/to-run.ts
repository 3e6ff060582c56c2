import { defined } from '../../protocol/collections/defined.ts'
import { derivedUuid } from '../../protocol/json/canonical.ts'
import { DEFAULT_WORK, EMPTY_REQUEST, type RunRequest } from '../../protocol/run/request.ts'
import { askedIn } from './extension.ts'
import type { SendParams } from './params.ts'
import { aboutPart, contentOf } from './parts.ts'

/** A message as a run. The same message is the same run, in whichever version it is sent again. */
export function toRun({ message, metadata }: SendParams): RunRequest {
  const { messageId, contextId, parts, referenceTaskIds, extensions } = message
  const asked = askedIn({ 'message.metadata': message.metadata, metadata })
  return {
    ...EMPTY_REQUEST,
    dialect: 'a2a',
    request_id: messageId,
    // Derived, so that a message sent again without a context is again in the one that it opened.
    session_id: contextId ?? derivedUuid('a2a context', messageId),
    work_type: asked.workType ?? DEFAULT_WORK,
    messages: [{ role: 'user', content: parts.map(contentOf) }],
    parameters: { ...asked.parameters, ...defined({ reference_task_ids: referenceTaskIds }) },
    hints: defined({ max_duration_seconds: asked.maxDurationSeconds }),
    files: parts.flatMap(({ url }) => (url === undefined ? [] : [url])),
    wire: {
      parts: parts.map(aboutPart),
      ...defined({ metadata: message.metadata, extensions, referenceTaskIds }),
    },
  }
}
