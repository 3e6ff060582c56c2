import { useCall } from '../../call/use-call.ts'
import { Answer } from '../../frame/answer.tsx'
import { show } from '../../router/router.ts'
import { AuditTable } from './audit-table.tsx'

const SHOWN = 50

/** Who was refused; or everything that was done. */
export function AccessLog({ isAll }: { readonly isAll: boolean }) {
  const log = useCall('cacp/audit/list', { refused: !isAll, limit: SHOWN }, { kinds: [], everySeconds: 10 })
  return (
    <section class="part" aria-labelledby="log-heading">
      <div class="part-head">
        <h2 id="log-heading">Access log</h2>
        <div class="segments" role="group" aria-label="What the log shows">
          <button type="button" aria-pressed={!isAll} onClick={() => show({ log: undefined })}>
            Refused
          </button>
          <button type="button" aria-pressed={isAll} onClick={() => show({ log: 'all' })}>
            Everything
          </button>
        </div>
      </div>
      <Answer
        of={log}
        empty={({ lines }) =>
          lines.length === 0 && <p class="quiet">{isAll ? 'Nothing was done yet.' : 'Nobody was refused.'}</p>
        }
      >
        {({ lines }) => (
          <>
            <AuditTable lines={lines} />
            {lines.length === SHOWN && (
              <p class="quiet">
                The newest {SHOWN}. More of it: <code>cacpd audit list --limit 1000</code>.
              </p>
            )}
          </>
        )}
      </Answer>
    </section>
  )
}
