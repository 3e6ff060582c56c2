import { useJson } from '../call/use-call.ts'
import { session } from '../session/session.ts'
import { Foreign } from '../text/foreign.tsx'
import { Answer } from './answer.tsx'
import { Dialog, useOpen } from './dialog.tsx'
import { Icon } from './icon.tsx'

interface OtherDaemon {
  readonly repo: string
  readonly url: string
  /** Missing if that daemon shows no page. */
  readonly uiUrl?: string
}

/** Leads to the other daemons of this machine. Each has a session of its own. */
export function Daemons() {
  const { isOpen, open, close } = useOpen()
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label="Other daemons of this machine"
        title="Other daemons of this machine"
        onClick={open}
      >
        <Icon name="down" />
      </button>
      {isOpen && <OpenList close={close} />}
    </>
  )
}

function OpenList({ close }: { close(): void }) {
  const asked = useJson<{ daemons: readonly OtherDaemon[] }>('/ui/daemons', { kinds: [] })
  return (
    <Dialog title="Daemons of this machine" close={close} end="Done">
      <h2>Daemons of this machine</h2>
      <p>
        This is <strong>{session.value?.repo}</strong>, at {session.value?.baseUrl}
      </p>
      <Answer
        of={asked}
        empty={({ daemons }) => daemons.length === 0 && <p class="quiet">No other daemon runs here.</p>}
      >
        {({ daemons }) => (
          <ul class="rows daemons">
            {daemons.map(({ repo, url, uiUrl }) => (
              <li key={url}>
                {uiUrl === undefined ? (
                  <p>
                    <Foreign text={repo} /> <span class="quiet">shows no page</span>
                  </p>
                ) : (
                  <a href={uiUrl} target="_blank" rel="noopener noreferrer">
                    <strong>
                      <Foreign text={repo} />
                    </strong>
                    <span class="quiet">
                      <Foreign text={url} />
                    </span>
                  </a>
                )}
              </li>
            ))}
          </ul>
        )}
      </Answer>
      <p class="quiet">
        Each has a session of its own: run <code>cacpd ui</code> in its repository.
      </p>
    </Dialog>
  )
}
