import { useSignal } from '@preact/signals'
import { nameOf } from '../../../domain/peers/peer-health.ts'
import type { ParamsOf, ResultOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { ActForm } from '../../form/act-form.tsx'
import { CopyButton } from '../../form/copy-button.tsx'
import { EXACT, LineField } from '../../form/field.tsx'
import { SelectField } from '../../form/select.tsx'
import { useAct } from '../../form/use-act.ts'
import { Dialog, useOpen } from '../../frame/dialog.tsx'
import { Icon } from '../../frame/icon.tsx'
import { put } from '../../put.ts'
import { project } from '../../router/router.ts'
import { Until } from '../../text/ago.tsx'
import { visibleText } from '../../text/hidden.ts'

/** Makes an invite, by which one other daemon is let in. */
export function InviteButton() {
  const { isOpen, open, close } = useOpen()
  return (
    <>
      <button type="button" class="main" onClick={open}>
        <Icon name="plus" />
        Invite a daemon
      </button>
      {isOpen && <InviteDialog close={close} />}
    </>
  )
}

const LIFETIMES = [
  ['3600', '1 hour'],
  ['86400', '1 day'],
  ['604800', '7 days'],
] as const

function InviteDialog({ close }: { close(): void }) {
  const act = useAct('cacp/invite/create')
  const projects = useCall('cacp/project/overview', {}, { kinds: ['project'] })
  const peers = useCall('cacp/peer/list', {}, { kinds: [] })
  const given = {
    project: useSignal(project.value ?? ''),
    repoName: useSignal(''),
    replaces: useSignal(''),
    seconds: useSignal('86400'),
  }
  const repoName = given.repoName.value.trim()
  const params: ParamsOf<'cacp/invite/create'> = {
    ...(given.project.value === '' ? {} : { project: given.project.value }),
    ...(repoName === '' ? {} : { repoName }),
    ...(given.replaces.value === '' ? {} : { replaces: given.replaces.value }),
    expiresSeconds: Number(given.seconds.value),
  }
  return (
    <Dialog title="Invite a daemon" close={close} end={act.state.is === 'done' ? 'Close' : undefined}>
      <h2>Invite a daemon</h2>
      {act.state.is === 'done' ? (
        <MadeInvite of={act.state.result} />
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
          <SelectField
            label="Project in which it gets its repository at once"
            none="None"
            choices={
              projects.value?.projects.map(({ projectId, name }) => [projectId, visibleText(name)]) ?? []
            }
            value={given.project.value}
            choose={(id) => put(given.project, id)}
          />
          <LineField
            label="Name of the repository (empty: what it calls itself)"
            of={given.repoName}
            maxLength={200}
            {...EXACT}
          />
          <SelectField
            label="Takes the place of"
            none="Nobody"
            choices={peers.value?.peers.map((peer) => [peer.agentId, visibleText(nameOf(peer))]) ?? []}
            value={given.replaces.value}
            choose={(id) => put(given.replaces, id)}
          />
          <SelectField
            label="Good for"
            choices={LIFETIMES}
            value={given.seconds.value}
            choose={(seconds) => put(given.seconds, seconds)}
          />
        </ActForm>
      )}
    </Dialog>
  )
}

/** The address of a new invite: it is told this one time. */
export function MadeInvite({ of: { url, expiresAt } }: { readonly of: ResultOf<'cacp/invite/create'> }) {
  const command = `cacpd join '${url}'`
  return (
    <>
      <div role="status">
        <p>
          The invite is made. <strong>Its address is shown only now:</strong> whoever has it can use it, once.
        </p>
        <p>
          <Until at={expiresAt} over="It has expired." />
        </p>
      </div>
      <pre class="address">
        <code>{url}</code>
      </pre>
      <CopyButton text={url} what="the address" />
      <p>At the other daemon, run:</p>
      <pre class="address">
        <code>{command}</code>
      </pre>
      <CopyButton text={command} what="the command" />
      <p class="quiet">
        When it has joined, both sides see the same six words for each other here: read them to each other.
      </p>
    </>
  )
}
