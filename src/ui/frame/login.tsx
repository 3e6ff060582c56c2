import type { CallFault } from '../call/fault.ts'
import { Failed } from './answer.tsx'

/** Shown where there is no session: how to get one. */
export function Login({ fault, again }: { readonly fault: CallFault | undefined; again(): void }) {
  return (
    <main id="main" class="login">
      <h1>cacpd</h1>
      {fault !== undefined && fault.kind !== 'unauthorized' && <Failed fault={fault} again={again} />}
      <p>
        {fault?.kind === 'unauthorized'
          ? 'This link has expired, or was used already.'
          : 'This browser has no session with this daemon.'}{' '}
        Run in the repository:
      </p>
      <pre>
        <code>cacpd ui</code>
      </pre>
      <p class="quiet">It opens this page with a link that works once.</p>
    </main>
  )
}
