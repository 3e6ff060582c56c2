import { useCall } from '../../call/use-call.ts'
import { type DiffMode, DiffView } from '../../diff/diff-view.tsx'
import { Segments } from '../../form/segments.tsx'
import { Answer, Loading } from '../../frame/answer.tsx'
import { KeyHint } from '../../frame/key-hint.tsx'
import { useKey } from '../../frame/keys.ts'
import { Part } from '../../frame/part.tsx'
import { JsonTree } from '../../json/json-tree.tsx'
import type { JsonValue } from '../../json/value.ts'
import { show } from '../../router/router.ts'
import { Quoted } from '../../text/foreign.tsx'
import { ChangedFields } from './changed-fields.tsx'
import { type ComparedPair, type VersionName, versionNamed } from './pair.ts'
import type { Contract, Revision } from './reading.ts'
import { ReviewPanel } from './review-panel.tsx'

interface ComparisonProps {
  readonly projectId: string
  readonly contract: Contract
  readonly versions: readonly Revision[]
  readonly pair: ComparedPair
  readonly mode: DiffMode
  /** Both contents are folded at first. */
  readonly isShort?: boolean
}

/** Two versions: what the difference means, which fields differ, and both contents. */
export function Comparison({ projectId, contract, versions, pair, mode, isShort = false }: ComparisonProps) {
  const { contractId } = contract
  const named = (name: VersionName | undefined) => versionNamed(name, versions, contract)
  const [before, after] = [named(pair.from), named(pair.to)]
  const compared = useCall(
    'cacp/contract/diff',
    before === undefined || after === undefined
      ? undefined
      : { projectId, contractId, fromRevision: before.revision, toRevision: after.revision },
    { kinds: ['contract'], projectId, id: contractId },
  )
  if (after === undefined) return <Loading />
  if (pair.from === undefined)
    return (
      <Part title={`Content of version ${after.version}`} class="panel">
        {contract.review !== undefined && after.revision === contract.head.revision && (
          <ReviewPanel review={contract.review} />
        )}
        <JsonTree value={after.content as JsonValue} name={`the content of version ${after.version}`} />
      </Part>
    )
  if (before === undefined) return <Loading />
  const names = [`version ${before.version}`, `version ${after.version}`] as const
  const contents = { before: before.content as JsonValue, after: after.content as JsonValue }
  return (
    <Part title={`What changes from version ${before.version} to ${after.version}`} class="panel">
      <Answer of={compared}>
        {({ review, differences, truncated, parties }) => (
          <>
            {review !== undefined && <ReviewPanel review={review} />}
            {parties !== undefined && <PartiesChanged {...parties} />}
            <h3>Changed fields</h3>
            <ChangedFields differences={differences} isCut={truncated === true} />
          </>
        )}
      </Answer>
      {isShort ? (
        <details class="raw">
          <summary>Both contents, line by line</summary>
          <DiffView {...contents} mode={mode} names={names} />
        </details>
      ) : (
        <>
          <DiffTools mode={mode} />
          <DiffView {...contents} mode={mode} names={names} />
          <details class="raw">
            <summary>Raw: the whole content of version {after.version}</summary>
            <JsonTree value={contents.after} name={`the content of version ${after.version}`} />
          </details>
        </>
      )}
    </Part>
  )
}

function PartiesChanged({ added, removed }: { added: readonly string[]; removed: readonly string[] }) {
  return (
    <p>
      {added.map((name) => (
        <span key={name}>
          <Quoted text={name} most={60} /> becomes a party.{' '}
        </span>
      ))}
      {removed.map((name) => (
        <span key={name}>
          <Quoted text={name} most={60} /> is no party any more.{' '}
        </span>
      ))}
    </p>
  )
}

function DiffTools({ mode }: { readonly mode: DiffMode }) {
  const turn = () => show({ diff: mode === 'split' ? 'inline' : 'split' })
  useKey('d', 'side by side, or in one column', turn, [mode])
  return (
    <div class="diff-tools">
      <h3>Both contents</h3>
      <Segments
        label="How the difference is shown"
        choices={[
          ['Side by side', mode === 'split', { diff: 'split' }],
          ['One column', mode === 'inline', { diff: 'inline' }],
        ]}
      />
      <KeyHint of="d" />
    </div>
  )
}

/** Side by side where there is room for it, unless somebody chose. */
export function modeOf(chosen: string | undefined): DiffMode {
  if (chosen === 'split' || chosen === 'inline') return chosen
  return matchMedia('(min-width: 1100px)').matches ? 'split' : 'inline'
}
