import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { nameOf } from '../../../domain/peers/peer-health.ts'
import type { ParamsOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { ActForm } from '../../form/act-form.tsx'
import { useAct } from '../../form/use-act.ts'
import { Dialog } from '../../frame/dialog.tsx'
import { Icon } from '../../frame/icon.tsx'
import { project } from '../../router/router.ts'
import { visibleText } from '../../text/hidden.ts'
import { MadeInvite } from './made-invite.tsx'

/** Makes an invite, by which one other daemon is let in. */
export function InviteButton() {
  const isOpen = useSignal(false)
  return (
    <>
      <button
        type="button"
        class="main"
        onClick={() => {
          isOpen.value = true
        }}
      >
        <Icon name="plus" />
        Invite a daemon
      </button>
      {isOpen.value && (
        <InviteDialog
          close={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

const LIFETIMES = [
  { seconds: 3600, word: '1 hour' },
  { seconds: 86_400, word: '1 day' },
  { seconds: 7 * 86_400, word: '7 days' },
] as const

function InviteDialog({ close }: { close(): void }) {
  const act = useAct('cacp/invite/create')
  const projects = useCall('cacp/project/overview', {}, { kinds: ['project'] })
  const peers = useCall('cacp/peer/list', {}, { kinds: [] })
  const given = {
    project: useSignal(project.value ?? ''),
    repoName: useSignal(''),
    replaces: useSignal(''),
    seconds: useSignal(86_400),
  }
  const ids = { project: useId(), repo: useId(), replaces: useId(), seconds: useId() }
  const repoName = given.repoName.value.trim()
  const params: ParamsOf<'cacp/invite/create'> = {
    ...(given.project.value === '' ? {} : { project: given.project.value }),
    ...(repoName === '' ? {} : { repoName }),
    ...(given.replaces.value === '' ? {} : { replaces: given.replaces.value }),
    expiresSeconds: given.seconds.value,
  }
  return (
    <Dialog title="Invite a daemon" close={close}>
      <h2>Invite a daemon</h2>
      {act.state.is === 'done' ? (
        <MadeInvite invite={act.state.result} close={close} />
      ) : (
        <ActForm
          method="cacp/invite/create"
          params={params}
          act={act}
          title="Invite a daemon"
          button="Make the invite"
          cancel={close}
        >
          <p>
            The invite is an address that lets one other daemon in, once. Both pin each other’s key and give
            each other a key to call with.
          </p>
          <p class="field">
            <label for={ids.project}>Project in which it gets its repository at once</label>
            <select
              id={ids.project}
              value={given.project.value}
              onChange={({ currentTarget }) => {
                given.project.value = currentTarget.value
              }}
            >
              <option value="">None</option>
              {projects.value?.projects.map(({ projectId, name }) => (
                <option key={projectId} value={projectId}>
                  {visibleText(name)}
                </option>
              ))}
            </select>
          </p>
          <p class="field">
            <label for={ids.repo}>Name of the repository (empty: what it calls itself)</label>
            <input
              id={ids.repo}
              type="text"
              autocomplete="off"
              spellcheck={false}
              maxLength={200}
              value={given.repoName.value}
              onInput={({ currentTarget }) => {
                given.repoName.value = currentTarget.value
              }}
            />
          </p>
          <p class="field">
            <label for={ids.replaces}>Takes the place of</label>
            <select
              id={ids.replaces}
              value={given.replaces.value}
              onChange={({ currentTarget }) => {
                given.replaces.value = currentTarget.value
              }}
            >
              <option value="">Nobody</option>
              {peers.value?.peers.map((peer) => (
                <option key={peer.agentId} value={peer.agentId}>
                  {visibleText(nameOf(peer))}
                </option>
              ))}
            </select>
          </p>
          <p class="field">
            <label for={ids.seconds}>Good for</label>
            <select
              id={ids.seconds}
              value={given.seconds.value}
              onChange={({ currentTarget }) => {
                given.seconds.value = Number(currentTarget.value)
              }}
            >
              {LIFETIMES.map(({ seconds, word }) => (
                <option key={seconds} value={seconds}>
                  {word}
                </option>
              ))}
            </select>
          </p>
        </ActForm>
      )}
    </Dialog>
  )
}
