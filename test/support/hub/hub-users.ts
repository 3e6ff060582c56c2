import { writeFile } from 'node:fs/promises'
import { loadNats } from '../../../src/io/hub/load-nats.ts'
import { selfSigned } from '../../../src/io/identity/self-signed.ts'
import type { Folder } from '../folders/folder.ts'

/** A user that a server knows by the public key, and a daemon by the seed in a file. */
export interface HubUser {
  readonly key: string
  readonly nkey: string
}

export async function newHubUser(folder: Folder, name: string): Promise<HubUser> {
  const { nkeys } = await loadNats()
  const pair = nkeys.createUser()
  const nkey = folder.at(`${name}.nk`)
  await writeFile(nkey, pair.getSeed(), { mode: 0o600 })
  return { key: pair.getPublicKey(), nkey }
}

/** The certificate of a server on this machine, which is its own authority, and its key, in one file. */
export async function newCertificate(folder: Folder, name = 'server'): Promise<string> {
  const now = Date.now()
  const path = folder.at(`${name}.pem`)
  const times = { from: new Date(now - 60_000), until: new Date(now + 86_400_000) }
  await writeFile(path, selfSigned({ names: ['localhost', '127.0.0.1'], ...times }), { mode: 0o600 })
  return path
}
