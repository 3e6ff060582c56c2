import { useSignal } from '@preact/signals'
import { Icon } from '../../frame/icon.tsx'
import { KeyHint } from '../../frame/key-hint.tsx'
import { useKey } from '../../frame/keys.ts'
import { Part } from '../../frame/part.tsx'
import { put } from '../../put.ts'
import { show } from '../../router/router.ts'
import { Ago } from '../../text/ago.tsx'
import { figure } from '../../text/figures.ts'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import {
  type ComparedPair,
  versionName,
  versionNamed,
  withFrom,
  withParent,
  withTo,
  writePair,
} from './pair.ts'
import { type Contract, nameOf, type Repos, type Revision } from './reading.ts'

interface VersionsProps {
  readonly contract: Contract
  readonly versions: readonly Revision[]
  readonly pair: ComparedPair
  readonly repos: Repos
}

const choose = (pair: ComparedPair): void => show({ v: writePair(pair) })

/** So many of the newest stand side by side, and those that are compared. */
const PAGE = 20

/** Every version; any two of them can be compared. */
export function Versions({ contract, versions, pair, repos }: VersionsProps) {
  const at = versions.findIndex((one) => versionName(one, contract) === pair.to)
  const step = (by: 1 | -1) => {
    const next = versions[at + by]
    if (next !== undefined) choose(withParent(next, versions, contract))
  }
  const most = useSignal(PAGE)
  const earlier = versions.length - most.value
  const isChosen = (one: Revision): boolean => [pair.from, pair.to].includes(versionName(one, contract))
  const key = `${at} of ${versions.length}`
  useKey('[', 'the version before', () => step(-1), [key])
  useKey(']', 'the next version', () => step(1), [key])
  return (
    <Part title="Versions" class="versions">
      <ol class="strip">
        {earlier > 0 && (
          <li>
            <button type="button" onClick={() => put(most, most.value + PAGE)}>
              {figure(earlier)} earlier
            </button>
          </li>
        )}
        {versions
          .filter((one, index) => index >= earlier || isChosen(one))
          .map((one) => (
            <li key={one.revision}>
              <VersionButton
                one={one}
                contract={contract}
                pair={pair}
                proposer={nameOf(repos, one.proposed_by)}
                choose={() => choose(withParent(one, versions, contract))}
              />
            </li>
          ))}
      </ol>
      {versions.length > 1 && <PairChoice contract={contract} versions={versions} pair={pair} />}
      <ChangeNote shown={versionNamed(pair.to, versions, contract)} repos={repos} />
    </Part>
  )
}

interface VersionButtonProps {
  readonly one: Revision
  readonly contract: Contract
  readonly pair: ComparedPair
  readonly proposer: string
  choose(): void
}

function VersionButton({ one, contract, pair, proposer, choose }: VersionButtonProps) {
  const name = versionName(one, contract)
  const isLost = name.includes('~')
  const side = name === pair.to ? 'to' : name === pair.from ? 'from' : ''
  return (
    <button
      type="button"
      class={`version ${side}${isLost ? ' lost' : ''}`}
      aria-pressed={side !== ''}
      onClick={choose}
    >
      <span class="version-number">
        {isLost && <Icon name="fork" />}v{one.version}
        {one.agreed && <Icon name="check" />}
        {side !== '' && pair.from !== undefined && (
          <span class="version-side">{side === 'to' ? 'after' : 'before'}</span>
        )}
      </span>
      <span class="version-note">
        <Quoted text={proposer} most={24} />
      </span>
      <span class="version-note quiet">
        {wordsOf(one, contract, isLost)} · <Ago at={one.timestamp} isShort />
      </span>
    </button>
  )
}

function PairChoice({ contract, versions, pair }: Omit<VersionsProps, 'repos'>) {
  const names = versions.map((one) => versionName(one, contract))
  const options = names.toReversed().map((name) => (
    <option key={name} value={name}>
      version {Number.parseInt(name, 10)}
      {name.includes('~') ? ', which lost' : ''}
    </option>
  ))
  return (
    <p class="pair">
      <label>
        Compare{' '}
        <select
          value={pair.from ?? ''}
          onChange={({ currentTarget: { value } }) => choose(withFrom(pair, value || undefined, names))}
        >
          <option value="">nothing</option>
          {options}
        </select>
      </label>{' '}
      <label>
        with{' '}
        <select value={pair.to} onChange={({ currentTarget: { value } }) => choose(withTo(pair, value))}>
          {options}
        </select>
      </label>
      <span class="quiet keys-hint">
        <KeyHint of="[" /> <KeyHint of="]" />
      </span>
    </p>
  )
}

function ChangeNote({ shown, repos }: { readonly shown: Revision | undefined; readonly repos: Repos }) {
  if (shown === undefined || shown.change_notes.trim() === '') return null
  return (
    <p class="change-note">
      <Quoted text={nameOf(repos, shown.proposed_by)} most={60} /> wrote to version {shown.version}:{' '}
      <q>
        <Foreign text={shown.change_notes} />
      </q>
    </p>
  )
}

function wordsOf(one: Revision, { inForce, head }: Contract, isLost: boolean): string {
  if (isLost) return 'lost a conflict'
  if (one.revision === inForce?.revision) return 'in force'
  if (one.revision === head.revision) return one.retire ? 'proposes its end' : 'proposed'
  return one.agreed ? 'was agreed' : 'earlier'
}
