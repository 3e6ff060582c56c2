import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { jsonIn } from '../../protocol/json/in.ts'
import { readAs } from '../../protocol/read-as.ts'
import { parseStamp, type Stamp } from '../../protocol/stamp.ts'
import { DataDirError, readOwnFile } from '../place/data-dir.ts'
import { createPrivateFile, isReadableByOthers, replacePrivateFile } from './private-file.ts'

const FILE = 'identity.json'

const ed25519 = {
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
}
const PrivateKey = z.object({ ...ed25519, d: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })

const StampText = z
  .string()
  .refine((text) => parseStamp(text) === text)
  .transform((text) => text as Stamp)

const IdentityFile = z.object({
  key: PrivateKey,
  /** Replaces `key` when all statements about the change are written. */
  next: PrivateKey.optional(),
  created_at: StampText,
  /** The public keys before this one; their private keys are gone. */
  replaced: z.array(z.object({ key: z.object(ed25519), retires_at: StampText })),
  rotations: z.array(z.string()),
})

export type PrivateKey = z.output<typeof PrivateKey>
export type IdentityFile = Readonly<z.output<typeof IdentityFile>>

/**
 * Undefined before the first start. Throws if others can read the file, because they could sign in the name of this
 * daemon.
 */
export async function readIdentityFile(directory: string): Promise<IdentityFile | undefined> {
  const path = join(directory, FILE)
  const text = await readOwnFile(path, `The identity at ${path}`)
  if (text === undefined) return undefined
  if (isReadableByOthers(await stat(path)))
    throw new DataDirError(`The identity at ${path} can be read by other users`, NEW_IDENTITY)
  const refusal = () => new DataDirError(`${path} does not hold an identity`, NEW_IDENTITY)
  return readAs(IdentityFile, jsonIn(text), refusal)
}

const NEW_IDENTITY =
  'Put back a copy that only you can read; or remove it and restart the daemon, which then makes a new one: its peers have to be invited again'

/** If the file exists already, it stays as it is. */
export const createIdentityFile = (directory: string, content: IdentityFile): Promise<void> =>
  createPrivateFile(join(directory, FILE), textOf(content))

export const replaceIdentityFile = (directory: string, content: IdentityFile): Promise<void> =>
  replacePrivateFile(join(directory, FILE), textOf(content))

const textOf = (content: IdentityFile): string => `${JSON.stringify(content, null, 2)}\n`
