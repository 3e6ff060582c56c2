import type { ComponentType } from 'preact'
import type { Screen, ScreenProps } from '../router/route.ts'
import { ContractScreen } from '../screens/contract/contract.tsx'
import { Contracts } from '../screens/contracts/contracts.tsx'
import { Inbox } from '../screens/inbox/inbox.tsx'
import { MapScreen } from '../screens/map/map.tsx'
import { Peers } from '../screens/peers/peers.tsx'
import { Runs } from '../screens/runs/runs.tsx'
import { ThreadScreen } from '../screens/thread/thread.tsx'
import { Timeline } from '../screens/timeline/timeline.tsx'
import type { IconName } from './icon-paths.ts'

export interface ScreenRow {
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
  { screen: 'contracts', title: 'Contracts', key: 'c', icon: 'contracts', component: Contracts },
  { screen: 'contract', title: 'Contract', icon: 'contract', component: ContractScreen },
  { screen: 'thread', title: 'Conversation', icon: 'message', component: ThreadScreen },
  { screen: 'map', title: 'Map', key: 'm', icon: 'map', component: MapScreen },
  { screen: 'timeline', title: 'Timeline', key: 't', icon: 'timeline', component: Timeline },
  { screen: 'peers', title: 'Peers', key: 'p', icon: 'peers', component: Peers },
  { screen: 'runs', title: 'Runs', key: 'r', icon: 'runs', component: Runs },
]
