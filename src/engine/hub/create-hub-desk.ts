import type { Parts } from '../parts.ts'
import { Directory } from './directory.ts'
import { FileShelf } from './file-shelf.ts'
import { type HubCalls, HubDesk } from './hub-desk.ts'
import { OwnCard } from './own-card.ts'

interface CreateDeps
  extends Pick<Parts, 'self' | 'view' | 'files' | 'clock' | 'timers' | 'identity' | 'verify' | 'failed'> {
  readonly hubCalls?: HubCalls | undefined
  readonly capabilities?: readonly string[] | undefined
  bootId(): string
  onPinned(): void
}

/** Puts together what a daemon does on its hub beside statements. */
export function createHubDesk(deps: CreateDeps) {
  const directory = new Directory(deps)
  const shelf = new FileShelf(deps)
  const ownCard = new OwnCard({ ...deps, capabilities: deps.capabilities ?? [] })
  return { desk: new HubDesk({ ...deps, directory, shelf, ownCard }), directory, shelf }
}
