import type { PeerAbout } from '../../../domain/model.ts'
import type { Store } from '../../ports/ports.ts'

/** Keeps what a peer's card says of its repository, so that who names the repo in a project need not. */
export type NoteAbout = (agentId: string, about: PeerAbout | null) => Promise<void>

export function createNoteAbout(store: Pick<Store, 'commit' | 'view'>): NoteAbout {
  return async (agentId, about) => {
    if (about === null || isSame(store.view.peers.get(agentId)?.about, about)) return
    await store.commit((view) => {
      const peer = view.peers.get(agentId)
      if (peer?.trust !== 'approved') return { result: undefined }
      return { result: undefined, local: [{ table: 'peer', id: agentId, value: { ...peer, about } }] }
    })
  }
}

const isSame = (known: PeerAbout | undefined, { role, language }: PeerAbout): boolean =>
  known?.role === role && known.language === language
