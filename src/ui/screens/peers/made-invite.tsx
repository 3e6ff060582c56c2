import type { ResultOf } from '../../../methods/table.ts'
import { CopyButton } from '../../form/copy-button.tsx'
import { Until } from '../../text/until.tsx'

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
