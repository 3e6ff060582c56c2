import { useCall } from '../../call/use-call.ts'
import { DeliveryLine } from '../contract/delivery-line.tsx'

interface PacketDoneProps {
  readonly did: string
  readonly at: number
  readonly projectId: string
  readonly packetId: string
}

/** What was said, and how far it has come. */
export function PacketDone({ did, at, projectId, packetId }: PacketDoneProps) {
  const { value } = useCall(
    'cacp/context/list',
    { projectId, limit: 50 },
    { kinds: ['packet', 'receipt'], projectId, everySeconds: 3 },
  )
  return <DeliveryLine did={did} at={at} delivery={value?.delivery?.[packetId]} />
}
