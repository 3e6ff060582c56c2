import { useEffect, useRef } from 'preact/hooks'
import { OpenQuestion } from '../form/act-button.tsx'
import { Link } from '../router/link.tsx'
import { go, project, route } from '../router/router.ts'
import { sessionEnded } from '../session/ended.ts'
import { connection } from '../stream/bus.ts'
import type { Connection } from '../stream/connection.ts'
import { Arrivals } from './arrivals.tsx'
import { CommandBar } from './command-bar.tsx'
import { Icon } from './icon.tsx'
import { useKey } from './keys.ts'
import { KeysHelp } from './keys-help.tsx'
import { Preferences } from './preferences.tsx'
import { Rail } from './rail.tsx'
import { SCREENS, type ScreenRow } from './screens.ts'
import { TopBar } from './top-bar.tsx'
import { Watch } from './watch.tsx'

/** What is around every screen. */
export function Frame() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <TopBar />
      <SessionBar />
      <Rail />
      <main id="main" tabIndex={-1} class={isOld(connection.value) ? 'old' : undefined}>
        <CurrentScreen />
      </main>
      <OpenQuestion />
      <CommandBar />
      <KeysHelp />
      <Preferences />
      <Arrivals />
      <Watch />
      {SCREENS.map((row) => (row.key === undefined ? null : <GoKey key={row.screen} of={row} />))}
    </>
  )
}

/** What is shown may not be so any more; the pill says since when. */
const isOld = ({ is }: Connection): boolean => is === 'waiting' || is === 'asleep' || is === 'ended'

function CurrentScreen() {
  const now = route.value
  const place = now === undefined ? '' : [now.screen, ...now.ids].join(' ')
  useFocusOnArrival(place)
  const Component = SCREENS.find(({ screen }) => screen === now?.screen)?.component
  if (now === undefined || Component === undefined)
    return (
      <>
        <h1>There is no such page</h1>
        <p>
          <Link to={{ screen: 'inbox' }}>Go to the inbox</Link>
        </p>
      </>
    )
  return <Component key={place} route={now} />
}

/** Who goes to another page by keyboard or by ear begins at its top. */
function useFocusOnArrival(place: string): void {
  const last = useRef(place)
  useEffect(() => {
    if (last.current !== place) document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    last.current = place
  }, [place])
}

function GoKey({ of: { screen, title, key } }: { readonly of: ScreenRow }) {
  useKey(`g ${key}`, `go to ${title}`, () => go({ screen, query: { project: project.value } }))
  return null
}

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
