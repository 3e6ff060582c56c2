import { Link } from '../router/link.tsx'
import { project, route } from '../router/router.ts'
import { waitingCount } from './count.ts'
import { Icon } from './icon.tsx'
import { SCREENS } from './screens.ts'

/** The way from screen to screen: at the left, and at the bottom of small ones. */
export function Rail() {
  const here = route.value?.screen === 'contract' ? 'contracts' : route.value?.screen
  return (
    <nav class="rail" aria-label="Screens">
      <ul>
        {SCREENS.filter(({ key }) => key !== undefined).map(({ screen, title, key, icon }) => (
          <li key={screen}>
            <Link
              to={{ screen, query: { project: project.value } }}
              aria-current={screen === here ? 'page' : undefined}
              title={`${title} (g ${key})`}
            >
              <Icon name={icon} />
              <span class="rail-word">{title}</span>
              {screen === 'inbox' && waitingCount.value > 0 && (
                <span class="count">
                  {waitingCount}
                  <span class="visually-hidden"> waiting for a person</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
