import { Icon } from '../../frame/icon.tsx'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { Quoted } from '../../text/foreign.tsx'
import { STATUS_WORDS, STATUSES, TYPE_WORDS } from '../../text/words.ts'
import type { Contract } from './reading.ts'

interface HeadingProps {
  readonly contract: Contract
  readonly projectId: string
  readonly projectName: string
}

/** What it is, how far it is, and what of it is in force. */
export function Heading({ contract, projectId, projectName }: HeadingProps) {
  const { name, type, version, inForce, updated_at, withdrawn, retired, conflicts } = contract
  return (
    <header class="contract-heading">
      <p class="crumbs">
        <Link to={{ screen: 'contracts', query: { project: projectId } }}>Contracts</Link>
        <span aria-hidden="true">/</span>
        <Quoted text={projectName} most={60} />
      </p>
      <h1>
        <Quoted text={name} />
      </h1>
      <p class="facts">
        <span>{TYPE_WORDS[type] ?? type}</span>
        <span>version {version}</span>
        <span>{inForce === null ? 'nothing is in force' : `version ${inForce.version} is in force`}</span>
        <span>
          changed <Ago at={updated_at} />
        </span>
        {withdrawn && <strong class="bad-word">withdrawn by its author</strong>}
        {retired && <strong class="bad-word">retired</strong>}
        {conflicts.length > 0 && (
          <strong class="bad-word">
            <Icon name="fork" />{' '}
            {conflicts.length === 1 ? 'a conflict is open' : `${conflicts.length} conflicts are open`}
          </strong>
        )}
      </p>
      <StatusSteps status={contract.status} />
    </header>
  )
}

/** The five steps of a contract, and where it is. */
export function StatusSteps({ status }: { readonly status: Contract['status'] }) {
  const at = STATUSES.indexOf(status)
  return (
    <ol class="status-steps" aria-label="Status">
      {STATUSES.map((step, index) => (
        <li
          key={step}
          class={index < at ? 'past' : index === at ? `now ${STATUS_WORDS[step].tone}` : 'to-come'}
          aria-current={index === at ? 'step' : undefined}
        >
          <Icon name={index < at ? 'check' : STATUS_WORDS[step].icon} />
          {step}
        </li>
      ))}
    </ol>
  )
}
