import type { ComponentChildren } from 'preact'
import type { ParamsOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { ActForm } from '../../form/act-form.tsx'
import { useAct } from '../../form/use-act.ts'
import { show } from '../../router/router.ts'
import { DeliveryLine } from '../contract/delivery-line.tsx'

type Saying =
  | 'cacp/context/askQuestion'
  | 'cacp/context/recordDecision'
  | 'cacp/context/share'
  | 'cacp/file/share'

/** What every form is given that says something to a project. */
export interface Talk {
  readonly projectId: string
  readonly relatedContracts: readonly string[]
  /** What it answers. */
  readonly replyTo?: string
  acted(): void
}

interface PacketFormProps<Name extends Saying> {
  readonly method: Name
  readonly params: ParamsOf<Name> & { readonly projectId: string; readonly replyTo?: string }
  readonly title: string
  readonly button: string
  readonly problem: string | undefined
  /** What was done once it is done, such as `Asked`. */
  readonly did: string
  /** It stands in the place of nothing else, and cannot be put away. */
  readonly isUsual?: boolean
  readonly children: ComponentChildren
  acted(): void
}

/** A form that says something to the project, and then tells how far that has come. */
export function PacketForm<Name extends Saying>(props: PacketFormProps<Name>) {
  const { did, isUsual, children, acted, ...form } = props
  const { method, params, title } = form
  const act = useAct(method)
  if (act.state.is === 'done')
    return (
      <Said
        did={did}
        at={act.state.at}
        projectId={params.projectId}
        packetId={(act.state.result as { packetId: string }).packetId}
      />
    )
  // In a conversation, what is always there is the reply.
  const cancel = isUsual ? {} : { cancel: () => show({ act: params.replyTo && 'reply' }) }
  return (
    <ActForm {...form} {...cancel} act={act} done={acted}>
      {!isUsual && <h3>{title}</h3>}
      {children}
    </ActForm>
  )
}

interface SaidProps {
  readonly did: string
  readonly at: number
  readonly projectId: string
  readonly packetId: string
}

/** What was said, and how far it has come. */
function Said({ did, at, projectId, packetId }: SaidProps) {
  const { value } = useCall(
    'cacp/context/list',
    { projectId, limit: 50 },
    { kinds: ['packet', 'receipt'], projectId, everySeconds: 3 },
  )
  return <DeliveryLine did={did} at={at} delivery={value?.delivery?.[packetId]} />
}
