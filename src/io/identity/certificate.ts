import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DataDirError } from '../place/data-dir.ts'
import { exists } from '../system/exists.ts'
import { createPrivateFile, isReadableByOthers } from './private-file.ts'
import { selfSigned } from './self-signed.ts'

export interface ServerCertificate {
  /** PEM; the daemon's own certificate first, then the chain. */
  readonly cert: string
  readonly key: string
  /** SHA-256 of the daemon's own certificate, in hex. */
  readonly fingerprint: string
  /** Callers have to know a self-signed certificate beforehand. */
  readonly isSelfSigned: boolean
}

const FILE = 'tls.pem'
const CHECK_SETTINGS = 'Check --tls-cert and --tls-key'
const LIFE_MILLIS = 20 * 365 * 86_400_000

/** The certificate that the operator provides for this daemon. */
export async function readCertificate(certPath: string, keyPath: string): Promise<ServerCertificate> {
  const [cert, key] = [await readPem(certPath, 'certificate'), await readPem(keyPath, 'key')]
  const certificate = described(cert, key, certPath)
  if (isKeyOf(cert, key)) return certificate
  throw new DataDirError(
    `${keyPath} does not hold the key of the certificate at ${certPath}, in PEM and without a password`,
    CHECK_SETTINGS,
  )
}

function isKeyOf(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

/** A self-signed certificate, made once, because peers pin it with their invite. */
export async function ensureCertificate(directory: string, names: readonly string[]) {
  const path = join(directory, FILE)
  if (!(await exists(path))) {
    const now = Date.now()
    // Valid from a minute ago, for clocks that are a little behind.
    const [from, until] = [new Date(now - 60_000), new Date(now + LIFE_MILLIS)]
    await createPrivateFile(path, selfSigned({ names, from, until }))
  }
  if (isReadableByOthers(await stat(path)))
    throw new DataDirError(
      `The key of the certificate at ${path} can be read by other users`,
      'Remove it and restart the daemon, which then makes a new one; daemons that were invited have to be invited again',
    )
  const pem = await readPem(path, 'certificate')
  return described(pem, pem, path)
}

async function readPem(path: string, what: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new DataDirError(`The ${what} at ${path} cannot be read (${error.code})`, CHECK_SETTINGS, error)
  })
}

function described(cert: string, key: string, path: string): ServerCertificate {
  try {
    const own = new X509Certificate(cert)
    return {
      cert,
      key,
      fingerprint: own.fingerprint256.replaceAll(':', '').toLowerCase(),
      isSelfSigned: own.checkIssued(own),
    }
  } catch (error) {
    throw new DataDirError(`${path} does not hold a certificate in PEM`, CHECK_SETTINGS, error)
  }
}
