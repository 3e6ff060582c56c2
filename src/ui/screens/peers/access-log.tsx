import { useCall } from '../../call/use-call.ts'
import { Segments } from '../../form/segments.tsx'
import { Answer } from '../../frame/answer.tsx'
import { Part } from '../../frame/part.tsx'
import { AuditTable } from './audit-table.tsx'

const SHOWN = 50

/** Who was refused; or everything that was done. */
export function AccessLog({ isAll }: { readonly isAll: boolean }) {
  const log = useCall('cacp/audit/list', { refused: !isAll, limit: SHOWN }, { kinds: [], everySeconds: 10 })
  return (
    <Part
      title="Access log"
      acts={
        <Segments
          label="What the log shows"
          choices={[
            ['Refused', !isAll, { log: undefined }],
            ['Everything', isAll, { log: 'all' }],
          ]}
        />
      }
    >
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
    </Part>
  )
}
