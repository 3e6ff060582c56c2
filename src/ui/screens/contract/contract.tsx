import { Answer } from '../../frame/answer.tsx'
import { usePageTitle } from '../../frame/count.ts'
import { useKey } from '../../frame/keys.ts'
import { useUnfoldKey } from '../../frame/unfold.ts'
import type { ScreenProps } from '../../router/route.ts'
import { goBack, show } from '../../router/router.ts'
import { visibleText } from '../../text/hidden.ts'
import { Acts } from './acts.tsx'
import { Comparison, modeOf } from './comparison.tsx'
import { GatePanel } from './gate-panel.tsx'
import { Heading } from './heading.tsx'
import { readPair, usualPair } from './pair.ts'
import { Parties } from './parties.tsx'
import { partyRows } from './reading.ts'
import { ResolveForm } from './resolve-form.tsx'
import { Thread } from './thread.tsx'
import { useContract } from './use-contract.ts'
import { Versions } from './versions.tsx'

/** What exactly is agreed, what differs, and who said what. */
export function ContractScreen({ route: { ids, query } }: ScreenProps) {
  const [projectId = '', contractId = ''] = ids
  const whole = useContract(projectId, contractId)
  const { contract, versions, repos, ownRepo, projectName } = whole
  const name = contract.value?.name
  usePageTitle(name === undefined ? 'Contract' : `«${visibleText(name).slice(0, 80)}»`)
  useKey('r', 'ask about it…: opens the form', () => show({ act: 'ask' }))
  useKey('Escape', 'go back', goBack)
  useUnfoldKey()
  return (
    <>
      {contract.value === undefined && <h1 class="visually-hidden">Contract</h1>}
      <Answer of={contract}>
        {(value) => {
          const pair = readPair(query['v'], value, versions) ?? usualPair(value, ownRepo)
          const acting = { projectId, contract: value, repos, ownRepo, acted: whole.again }
          return (
            <article class="contract">
              <Heading contract={value} projectId={projectId} projectName={projectName} />
              <div class="contract-main">
                <ResolveForm {...acting} versions={versions} />
                <Versions contract={value} versions={versions} pair={pair} repos={repos} />
                <Comparison
                  projectId={projectId}
                  contract={value}
                  versions={versions}
                  pair={pair}
                  mode={modeOf(query['diff'])}
                />
              </div>
              <aside class="contract-side" aria-label="Your part">
                <Acts {...acting} act={query['act']} />
                <Parties rows={partyRows(value, repos, ownRepo)} />
                <GatePanel projectId={projectId} contract={value} rows={partyRows(value, repos, ownRepo)} />
              </aside>
              <div class="contract-thread">
                <Thread
                  entries={whole.entries}
                  projectId={projectId}
                  repos={repos}
                  ownRepo={ownRepo}
                  fault={whole.packets.fault}
                  older={whole.older}
                />
              </div>
            </article>
          )
        }}
      </Answer>
    </>
  )
}
