import type { ComponentType } from 'preact'
import type { Screen } from '../router/route.ts'
import { Inbox } from '../screens/inbox/inbox.tsx'
import type { IconName } from './icon.tsx'
import type { ScreenProps } from './screen-props.ts'

interface ScreenRow {
  readonly screen: Screen
  readonly title: string
  /** Its letter after `g`; missing: it is reached through another screen. */
  readonly key?: string
  readonly icon: IconName
  readonly component: ComponentType<ScreenProps>
}

/** Every screen, in the order of the rail. */
export const SCREENS: readonly ScreenRow[] = [
  { screen: 'inbox', title: 'Inbox', key: 'i', icon: 'inbox', component: Inbox },
]
