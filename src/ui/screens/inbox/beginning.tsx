import { CopyButton } from '../../form/copy-button.tsx'
import { Empty } from '../../frame/answer.tsx'

const STEPS = [
  {
    does: 'Make a project that this repository and others build together',
    command: "cacpd project create --name 'Login' --objective 'Log in from the app'",
  },
  { does: 'Invite another repository into it', command: "cacpd invite --project 'Login'" },
  { does: 'Let the coding agent of this repository take part', command: 'cacpd init' },
] as const

/** Shown to who has no project yet: the three commands to begin with. */
export function Beginning() {
  return (
    <Empty title="There is no project yet.">
      <ol class="beginning">
        {STEPS.map(({ does, command }) => (
          <li key={command}>
            <p>{does}:</p>
            <pre>
              <code>{command}</code>
            </pre>
            <CopyButton text={command} what="the command" />
          </li>
        ))}
      </ol>
      <p>
        To watch two repositories first: <code>cacpd demo</code>
      </p>
    </Empty>
  )
}
