import type { ComponentChildren } from 'preact'
import { Icon } from '../../frame/icon.tsx'
import { Tag } from '../../frame/tag.tsx'
import { JsonTree } from '../../json/json-tree.tsx'
import type { JsonFields, JsonValue } from '../../json/value.ts'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { ForeignCode } from '../../text/foreign.tsx'
import { Prose } from '../../text/prose.tsx'
import { type By, Provenance } from '../../text/provenance.tsx'
import { ANSWER_WORDS, CHECK_WORDS, WORK_WORDS } from '../../text/words.ts'
import { PacketBody, PacketIcon, packetDid } from '../thread/packet.tsx'
import { type Entry, nameOf, type Repos } from './reading.ts'

interface EntryProps {
  readonly entry: Entry
  readonly projectId: string
  readonly repos: Repos
  readonly ownRepo: string | undefined
}

/** One thing that was said or done, with who said it. */
export function EntryView({ entry, projectId, repos, ownRepo }: EntryProps) {
  const told = (repoId: string, by: By) => ({
    repo: nameOf(repos, repoId),
    by,
    isOwn: repoId === ownRepo,
    at: entry.at,
  })
  switch (entry.is) {
    case 'revision': {
      const { version, proposed_by, by, change_notes, retire, resolves } = entry.of
      const did = retire ? 'proposed its end' : resolves.length > 0 ? 'settled a conflict' : 'proposed'
      return (
        <Told icon={<Icon name="contract" />} did={`${did}, version ${version}`} {...told(proposed_by, by)}>
          {change_notes !== '' && <Prose text={change_notes} />}
        </Told>
      )
    }
    case 'response': {
      const { action, comment, version, repo_id, by, suggested_change, redacted } = entry.of
      return (
        <Told icon={<Tag said={ANSWER_WORDS[action]} />} did={`to version ${version}`} {...told(repo_id, by)}>
          {redacted !== undefined && <p class="quiet">Its author has removed what it said.</p>}
          {comment !== '' && <Prose text={comment} />}
          {suggested_change !== null && <Suggested change={suggested_change as JsonValue} />}
        </Told>
      )
    }
    case 'work': {
      const { status, repo_id, by, notes, plan, files } = entry.of
      return (
        <Told icon={<Tag said={WORK_WORDS[status]} />} did="with its part" {...told(repo_id, by)}>
          {notes !== '' && <Prose text={notes} />}
          {plan !== null && <Prose text={plan} />}
          <Files files={files} />
        </Told>
      )
    }
    case 'check': {
      const { result, repo_id, by, notes, failure_details } = entry.of
      return (
        <Told icon={<Tag said={CHECK_WORDS[result]} />} did="as it verified" {...told(repo_id, by)}>
          {notes !== '' && <Prose text={notes} />}
          {typeof failure_details === 'string' && <Prose text={failure_details} />}
          {failure_details !== null && typeof failure_details === 'object' && (
            <JsonTree value={failure_details as JsonValue} name="what fails" />
          )}
        </Told>
      )
    }
    case 'packet': {
      const { type, from_repo, by, content, reply_to, packet_id } = entry.of
      return (
        <Told
          icon={<PacketIcon type={type} />}
          did={packetDid(type, reply_to !== null)}
          {...told(from_repo, by)}
        >
          <PacketBody type={type} content={content as JsonFields} />
          <p class="entry-links">
            <Link to={{ screen: 'thread', ids: [projectId, packet_id] }}>
              {type === 'question' ? 'Open the conversation, and answer' : 'Open the conversation'}
            </Link>
          </p>
        </Told>
      )
    }
  }
}

interface ToldProps {
  readonly icon: ComponentChildren
  readonly did: string
  readonly repo: string
  readonly by: By
  readonly isOwn: boolean
  readonly at: string
  readonly children: ComponentChildren
}

export function Told({ icon, did, repo, by, isOwn, at, children }: ToldProps) {
  return (
    <article class={`entry${isOwn ? ' own' : ''}`}>
      <header>
        <span class="entry-did">
          {icon}
          <span>{did}</span>
        </span>
        <Provenance repo={repo} by={by} isOwn={isOwn} />
        <Ago at={at} />
      </header>
      <div class="entry-body">{children}</div>
    </article>
  )
}

function Suggested({ change }: { readonly change: JsonValue }) {
  return (
    <details>
      <summary>What it suggests</summary>
      {typeof change === 'string' ? (
        <Prose text={change} />
      ) : (
        <JsonTree value={change} name="what it suggests" />
      )}
    </details>
  )
}

function Files({ files }: { readonly files: readonly string[] }) {
  if (files.length === 0) return null
  return (
    <ul class="listed files">
      {files.map((file) => (
        <li key={file}>
          <ForeignCode text={file} />
        </li>
      ))}
    </ul>
  )
}
