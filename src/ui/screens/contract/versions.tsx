import { useCallback } from 'preact/hooks'
import { Icon } from '../../frame/icon.tsx'
import { KeyHint } from '../../frame/key-hint.tsx'
import { useKey } from '../../frame/keys.ts'
import { show } from '../../router/router.ts'
import { Ago } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { type ComparedPair, type Contract, nameOf, type Repos, type Revision, writePair } from './reading.ts'

interface VersionsProps {
  readonly contract: Contract
  readonly versions: readonly Revision[]
  readonly pair: ComparedPair
  readonly repos: Repos
}

/** Every version; any two of them can be compared. */
export function Versions({ contract, versions, pair, repos }: VersionsProps) {
  const { version: newest } = contract
  const choose = (next: ComparedPair) => show({ v: writePair(next) })
  const step = useCallback(
    (by: number) => {
      const to = Math.min(newest, Math.max(1, pair.to + by))
      choose({ from: to > 1 ? to - 1 : undefined, to })
    },
    [newest, pair.to],
  )
  useKey(
    '[',
    'the version before',
    useCallback(() => step(-1), [step]),
  )
  useKey(
    ']',
    'the next version',
    useCallback(() => step(1), [step]),
  )
  const lost = new Set(contract.conflicts.map(({ revision }) => revision))
  return (
    <section class="versions" aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <ol class="strip">
        {versions.map((one) => (
          <li key={one.revision}>
            <button
              type="button"
              class={[
                'version',
                one.version === pair.to && !lost.has(one.revision) ? 'to' : '',
                one.version === pair.from && !lost.has(one.revision) ? 'from' : '',
                lost.has(one.revision) ? 'lost' : '',
              ].join(' ')}
              aria-pressed={one.version === pair.to || one.version === pair.from}
              disabled={lost.has(one.revision)}
              onClick={() => choose({ from: one.version > 1 ? one.version - 1 : undefined, to: one.version })}
            >
              <span class="version-number">
                {lost.has(one.revision) && <Icon name="fork" />}v{one.version}
                {one.agreed && <Icon name="check" />}
                {!lost.has(one.revision) && one.version === pair.from && (
                  <span class="version-side">before</span>
                )}
                {!lost.has(one.revision) && one.version === pair.to && pair.from !== undefined && (
                  <span class="version-side">after</span>
                )}
              </span>
              <span class="version-note">
                <Quoted text={nameOf(repos, one.proposed_by)} most={24} />
              </span>
              <span class="version-note quiet">
                {wordsOf(one, contract, lost.has(one.revision))} · <Ago at={one.timestamp} isShort />
              </span>
            </button>
          </li>
        ))}
      </ol>
      {newest > 1 && (
        <p class="pair">
          <label>
            Compare{' '}
            <select
              value={String(pair.from ?? '')}
              onChange={({ currentTarget: { value } }) =>
                choose({ from: value === '' ? undefined : Number(value), to: pair.to })
              }
            >
              <option value="">nothing</option>
              {numbers(newest, pair.to)}
            </select>
          </label>{' '}
          <label>
            with{' '}
            <select
              value={String(pair.to)}
              onChange={({ currentTarget: { value } }) => {
                const to = Number(value)
                choose({ from: pair.from === to ? undefined : pair.from, to })
              }}
            >
              {numbers(newest)}
            </select>
          </label>
          <span class="quiet keys-hint">
            <KeyHint of="[" /> <KeyHint of="]" />
          </span>
        </p>
      )}
      <ChangeNote versions={versions} to={pair.to} repos={repos} />
    </section>
  )
}

function ChangeNote({ versions, to, repos }: { versions: readonly Revision[]; to: number; repos: Repos }) {
  const shown = versions.findLast(({ version, change_notes }) => version === to && change_notes.trim() !== '')
  if (shown === undefined) return null
  return (
    <p class="change-note">
      <Quoted text={nameOf(repos, shown.proposed_by)} most={60} /> wrote to version {to}:{' '}
      <q>
        <Foreign text={shown.change_notes} />
      </q>
    </p>
  )
}

const numbers = (newest: number, but?: number) =>
  Array.from({ length: newest }, (_, at) => newest - at)
    .filter((version) => version !== but)
    .map((version) => (
      <option key={version} value={String(version)}>
        version {version}
      </option>
    ))

function wordsOf(one: Revision, { inForce, head }: Contract, isLost: boolean): string {
  if (isLost) return 'lost a conflict'
  if (one.revision === inForce?.revision) return 'in force'
  if (one.revision === head.revision) return one.retire ? 'proposes its end' : 'proposed'
  return one.agreed ? 'was agreed' : 'earlier'
}
