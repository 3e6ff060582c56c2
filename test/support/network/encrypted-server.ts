import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { inviteUrl, readInviteUrl } from '../../../src/domain/trust/invite-url.ts'
import { ensureCertificate } from '../../../src/io/identity/certificate.ts'
import { folderWith } from '../folders/folder.ts'

export interface EncryptedServer extends AsyncDisposable {
  readonly endpoint: string
  /** In PEM. */
  readonly certificate: string
  /** The invite as it would be had this server made it: with its address, and with its certificate to be pinned. */
  inPlaceOf(invite: string): string
}

/** Listens with a certificate of its own. */
export async function encryptedServer(listener: RequestListener): Promise<EncryptedServer> {
  await using folder = await folderWith()
  const { cert, key, fingerprint } = await ensureCertificate(folder.path, ['127.0.0.1'])
  const server = createServer({ cert, key }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    endpoint,
    certificate: cert,
    inPlaceOf: (invite) => inviteUrl({ ...readInviteUrl(invite), endpoint, certificate: fingerprint }),
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
