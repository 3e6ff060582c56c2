import { sessionEnded } from '../session/ended.ts'
import { Icon } from './icon.tsx'

/** Says that the session has ended, above a page that stays as it is: nothing that was written is lost. */
export function SessionBar() {
  if (!sessionEnded.value) return null
  return (
    <div class="session-bar" role="alert">
      <Icon name="warning" />
      <span>
        The session has ended. Run <code>cacpd ui</code> in the repository: this page goes on as soon as there
        is one again.
      </span>
    </div>
  )
}
