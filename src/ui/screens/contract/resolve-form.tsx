import { useSignal } from '@preact/signals'
import { ActForm } from '../../form/act-form.tsx'
import { TextField } from '../../form/field.tsx'
import { useAct } from '../../form/use-act.ts'
import { Part } from '../../frame/part.tsx'
import { JsonTree } from '../../json/json-tree.tsx'
import type { JsonFields, JsonValue } from '../../json/value.ts'
import { put } from '../../put.ts'
import { ForeignCode, Quoted } from '../../text/foreign.tsx'
import { DeliveryLine } from './delivery-line.tsx'
import {
  type Choice,
  type Contradiction,
  contradictions,
  isSame,
  merged,
  pathText,
  usualChoice,
} from './merge.ts'
import { NewerBar, useReadVersion } from './read-version.tsx'
import { type Acting, nameOf, type Revision } from './reading.ts'

interface ResolveProps extends Acting {
  readonly versions: readonly Revision[]
}

/** Settles a conflict field by field. The version that lost stays in the history, whatever is chosen. */
export function ResolveForm({ projectId, contract, versions, repos, acted }: ResolveProps) {
  const act = useAct('cacp/contract/resolve')
  const read = useReadVersion(contract.version)
  const which = useSignal(0)
  const note = useSignal('')
  const chosen = useSignal<Readonly<Record<string, Choice>>>({})
  const lost = contract.conflicts[which.value] ?? contract.conflicts[0]
  // What was settled stays told, unless there is another conflict since.
  if (act.state.is === 'done' && (lost === undefined || contract.version < act.state.result.version))
    return (
      <section class="panel" aria-label="Conflict">
        <DeliveryLine
          did={`Settled the conflict by version ${act.state.result.version}`}
          at={act.state.at}
          delivery={contract.delivery}
        />
      </section>
    )
  if (lost === undefined) return null
  const base = versions.find(({ revision }) => revision === lost.parent)
  const [stands, other] = [contract.content as JsonFields, lost.content as JsonFields]
  const found = contradictions(base?.content as JsonFields | undefined, stands, other)
  const choiceOf = (one: Contradiction): Choice => chosen.value[pathText(one.path)] ?? usualChoice(one)
  const result = merged(stands, found, choiceOf)
  const kept = isSame(result, stands)
    ? { keep: 'winner' as const }
    : isSame(result, other)
      ? { keep: 'loser' as const, revision: lost.revision }
      : { keep: 'content' as const, content: result as never }
  const takeAll = (choice: Choice) =>
    put(chosen, Object.fromEntries(found.map((one) => [pathText(one.path), choice])))
  return (
    <Part title="Settle the conflict" class="panel resolve">
      <p>
        Two versions were proposed while their daemons did not hear each other. Version {contract.version} of{' '}
        <Quoted text={nameOf(repos, contract.proposed_by)} most={60} /> stands; that of{' '}
        <Quoted text={nameOf(repos, lost.proposed_by)} most={60} /> lost. Choose field by field: the result
        becomes version {read.version + 1}, and what lost stays in the history.
      </p>
      {contract.conflicts.length > 1 && (
        <label>
          What lost{' '}
          <select
            value={String(which.value)}
            onChange={({ currentTarget }) => {
              which.value = Number(currentTarget.value)
              chosen.value = {}
            }}
          >
            {contract.conflicts.map((one, index) => (
              <option key={one.revision} value={String(index)}>
                version {one.version}, number {index + 1}
              </option>
            ))}
          </select>
        </label>
      )}
      <ActForm
        method="cacp/contract/resolve"
        title="Settle the conflict"
        button={`Settle it: version ${read.version + 1}`}
        problem={read.newer === undefined ? undefined : `Look at version ${read.newer} before you settle it`}
        act={act}
        params={{
          projectId,
          contractId: contract.contractId,
          ...kept,
          changeNote: note.value,
          version: read.version,
        }}
        done={acted}
        refused={acted}
      >
        <NewerBar read={read} />
        <div class="take-all">
          <button type="button" class="small" onClick={() => takeAll('stands')}>
            Take all that stands
          </button>
          <button type="button" class="small" onClick={() => takeAll('lost')}>
            Take all that lost
          </button>
        </div>
        <table class="contradictions">
          <caption class="visually-hidden">Fields in which the two versions contradict each other</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before{base === undefined ? '' : `, version ${base.version}`}</th>
              <th scope="col">Stands</th>
              <th scope="col">Lost</th>
            </tr>
          </thead>
          <tbody>
            {found.map((one) => (
              <ContradictionRow
                key={pathText(one.path)}
                one={one}
                choice={choiceOf(one)}
                choose={(choice) => put(chosen, { ...chosen.value, [pathText(one.path)]: choice })}
              />
            ))}
          </tbody>
        </table>
        <details class="preview" open>
          <summary>The result</summary>
          <JsonTree value={result} name="the result" />
        </details>
        <TextField label="Why it is settled so (may stay empty)" of={note} rows={2} />
      </ActForm>
    </Part>
  )
}

interface RowProps {
  readonly one: Contradiction
  readonly choice: Choice
  choose(choice: Choice): void
}

function ContradictionRow({ one, choice, choose }: RowProps) {
  const name = pathText(one.path)
  const side = (which: Choice, value: JsonValue | undefined) => (
    <td data-label={which === 'stands' ? 'Stands' : 'Lost'} class={choice === which ? 'chosen' : ''}>
      <label class="choice">
        <input type="radio" name={name} checked={choice === which} onChange={() => choose(which)} />
        <Value value={value} />
      </label>
    </td>
  )
  return (
    <tr>
      <th scope="row">
        <ForeignCode class="path" text={name} />
      </th>
      <td data-label="Before">
        <Value value={one.base} />
      </td>
      {side('stands', one.stands)}
      {side('lost', one.lost)}
    </tr>
  )
}

const LONGEST = 400

function Value({ value }: { readonly value: JsonValue | undefined }) {
  if (value === undefined) return <span class="quiet">not there</span>
  const text = JSON.stringify(value)
  return <ForeignCode text={text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text} />
}
