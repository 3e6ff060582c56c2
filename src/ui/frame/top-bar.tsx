import { useCall } from '../call/use-call.ts'
import { FilterSelect } from '../form/select.tsx'
import { Link } from '../router/link.tsx'
import { project } from '../router/router.ts'
import { session } from '../session/session.ts'
import { visibleText } from '../text/hidden.ts'
import { openCommandBar } from './command-bar.tsx'
import { ConnectionPill } from './connection-pill.tsx'
import { Daemons } from './daemons.tsx'
import { Icon } from './icon.tsx'
import { KeyHint } from './key-hint.tsx'
import { openPreferences } from './preferences.tsx'

/** Whose daemon this is, which project is looked at, and how it is connected. */
export function TopBar() {
  const { repo = '', words = '' } = session.value ?? {}
  return (
    <header class="top">
      <div class="whose">
        <Link to={{ screen: 'inbox' }} class="repo">
          {repo}
        </Link>
        <span class="words" title="The six words of this daemon's key">
          {words}
        </span>
      </div>
      <Daemons />
      <ProjectFilter />
      <button type="button" class="search-button" onClick={() => openCommandBar()}>
        <Icon name="search" />
        <span class="search-word">Search or go to…</span>
        <KeyHint of="/" />
      </button>
      <ConnectionPill />
      <button type="button" class="icon-button" onClick={openPreferences} aria-label="Preferences">
        <Icon name="gear" />
      </button>
    </header>
  )
}

function ProjectFilter() {
  const { value } = useCall('cacp/project/overview', {}, { kinds: ['project'] })
  return (
    <FilterSelect
      class="project-filter"
      label="Project"
      none="All projects"
      choices={(value?.projects ?? []).map(({ projectId, name }) => [projectId, visibleText(name)])}
      of="project"
      value={project.value}
    />
  )
}
