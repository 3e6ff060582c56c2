import { Answer } from '../../frame/answer.tsx'
import { Acts } from '../contract/acts.tsx'
import { Comparison } from '../contract/comparison.tsx'
import { StatusSteps } from '../contract/heading.tsx'
import { usualPair } from '../contract/pair.ts'
import { ResolveForm } from '../contract/resolve-form.tsx'
import { useContract } from '../contract/use-contract.ts'

interface ContractPreviewProps {
  readonly projectId: string
  readonly contractId: string
  readonly act: string | undefined
  acted(): void
}

/** A contract beside the list: what changes, what that breaks, and the form. */
export function ContractPreview({ projectId, contractId, act, acted }: ContractPreviewProps) {
  const whole = useContract(projectId, contractId)
  const { contract, versions, repos, ownRepo } = whole
  return (
    <Answer of={contract}>
      {(value) => {
        const acting = {
          projectId,
          contract: value,
          repos,
          ownRepo,
          acted() {
            whole.again()
            acted()
          },
        }
        return (
          <div class="contract-preview">
            <StatusSteps status={value.status} />
            <ResolveForm {...acting} versions={versions} />
            <Comparison
              projectId={projectId}
              contract={value}
              versions={versions}
              pair={usualPair(value, ownRepo)}
              mode="inline"
              isShort
            />
            <Acts {...acting} act={act} />
          </div>
        )
      }}
    </Answer>
  )
}
