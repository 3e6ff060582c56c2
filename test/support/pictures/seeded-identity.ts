import { createPrivateKey } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { Clock } from '../../../src/engine/ports/ports.ts'
import { createIdentityFile } from '../../../src/io/identity/file.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = '302e020100300506032b657004220420'

/** A key that follows from a name, so that a daemon has the same six words in every picture. It protects nothing. */
export async function writeSeededIdentity(dataDir: string, name: string, clock: Clock): Promise<void> {
  const der = Buffer.from(PKCS8 + sha256(`picture of ${name}`), 'hex')
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' })
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const key = { kty: 'OKP', crv: 'Ed25519', x, d } as const
  await createIdentityFile(dataDir, { key, created_at: clock.now(), replaced: [], rotations: [] })
}
