import { userInfo } from 'node:os'
import { quoted } from '../output/shell-word.ts'

/**
 * The command that makes the port of a daemon here reachable at the machine from which the person is connected: that
 * machine knows this one by the address that ssh came in at.
 */
export function forwardingCommand(url: string, connection: string, user = userInfo().username): string {
  const { port, hostname } = new URL(url)
  const [, , address = 'HOST', sshPort = '22'] = connection.split(' ')
  const at = sshPort === '22' ? '' : ` -p ${sshPort}`
  return `ssh -N -L ${port}:${hostname}:${port}${at} ${quoted(`${user}@${address}`)}`
}
