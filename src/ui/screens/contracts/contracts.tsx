import type { ResultOf } from '../../../methods/table.ts'
import { call } from '../../call/call.ts'
import { useCall } from '../../call/use-call.ts'
import { Segments } from '../../form/segments.tsx'
import { Answer, Empty } from '../../frame/answer.tsx'
import { usePageTitle } from '../../frame/count.ts'
import { usePages } from '../../list/use-pages.ts'
import { useRowKeys } from '../../list/use-row-keys.ts'
import { Link } from '../../router/link.tsx'
import type { ScreenProps } from '../../router/route.ts'
import { Board } from './board.tsx'
import { ContractFilters } from './contract-filters.tsx'
import { ContractTable } from './contract-table.tsx'
import { isNarrowed, paramsOf, readFilters } from './query.ts'
import { SimilarNames } from './similar-names.tsx'

const PAGE = 100

export type ContractRow = ResultOf<'cacp/contract/list'>['contracts'][number]

const pageOf = ({ contracts, nextCursor }: ResultOf<'cacp/contract/list'>) => ({
  rows: contracts,
  next: nextCursor,
})

/** What is being negotiated, and how far it is. */
export function Contracts({ route: { query } }: ScreenProps) {
  const filters = readFilters(query)
  const params = paramsOf(filters, PAGE)
  const list = useCall('cacp/contract/list', params, {
    kinds: ['contract'],
    ...(filters.projectId === undefined ? {} : { projectId: filters.projectId }),
  })
  const paged = usePages<ContractRow>({
    key: JSON.stringify(params),
    first: list.value && pageOf(list.value),
    idOf: ({ projectId, contractId }) => `${projectId} ${contractId}`,
    load: async (cursor) => {
      const outcome = await call('cacp/contract/list', { ...params, cursor })
      return outcome.ok ? { ok: true, result: pageOf(outcome.result) } : outcome
    },
  })
  const isBoard = query['view'] === 'board'
  useRowKeys()
  usePageTitle('Contracts')
  return (
    <div class="contracts">
      <div class="screen-heading">
        <h1>Contracts</h1>
        <Segments
          label="View"
          choices={[
            ['Table', !isBoard, { view: undefined }],
            ['Board', isBoard, { view: 'board' }],
          ]}
        />
      </div>
      <ContractFilters filters={filters} counts={list.value?.counts} />
      {isBoard ? (
        <Board filters={filters} counts={list.value?.counts} />
      ) : (
        <Answer
          of={list}
          empty={({ contracts }) => contracts.length === 0 && <NoContracts filters={filters} />}
        >
          {() => <ContractTable paged={paged} hasProject={filters.projectId !== undefined} />}
        </Answer>
      )}
    </div>
  )
}

function NoContracts({ filters }: { readonly filters: ReturnType<typeof readFilters> }) {
  if (isNarrowed(filters))
    return (
      <Empty title="No contract matches these filters.">
        {filters.q !== '' && <SimilarNames words={filters.q} project={filters.projectId} />}
        <p>
          <Link to={{ screen: 'contracts', query: { project: filters.projectId } }}>Show all contracts</Link>
        </p>
      </Empty>
    )
  return (
    <Empty title={filters.projectId === undefined ? 'No contract yet.' : 'No contract in this project yet.'}>
      <p>
        An agent proposes one with its tool <code>contract_propose</code>, and you with{' '}
        <code>cacpd contract propose</code>.
      </p>
    </Empty>
  )
}
