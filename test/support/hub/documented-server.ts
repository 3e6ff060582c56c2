import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Folder } from '../folders/folder.ts'
import { type HubUser, newHubUser } from './hub-users.ts'

/** The configurations of docs/hub, with the keys and files of a test in the places that a reader fills in. */
export interface DocumentedHub {
  readonly users: Readonly<Record<'backend' | 'frontend' | 'ci' | 'admin', HubUser>>
  /** The certificate of the authority. */
  readonly tlsCa: string
  /** Puts what the configurations include into the folder of a server. */
  putUsers(folder: Folder): Promise<void>
  server(folder: Folder): string
  cluster(folder: Folder): string
}

const textOf = (name: string): string =>
  readFileSync(new URL(`../../../docs/hub/${name}`, import.meta.url), 'utf8')

export async function documentedHub(folder: Folder): Promise<DocumentedHub> {
  const users = {
    backend: await newHubUser(folder, 'backend'),
    frontend: await newHubUser(folder, 'frontend'),
    ci: await newHubUser(folder, 'ci'),
    admin: await newHubUser(folder, 'admin'),
  }
  await makeCertificates(folder)
  const fill = (text: string): string =>
    text
      .replaceAll('/etc/nats/', `${folder.path}/`)
      .replaceAll('BACKEND_KEY', users.backend.key)
      .replaceAll('FRONTEND_KEY', users.frontend.key)
      .replaceAll('CI_KEY', users.ci.key)
      .replaceAll('ADMIN_KEY', users.admin.key)
  return {
    users,
    tlsCa: folder.at('ca.pem'),
    putUsers: (at) => writeFile(at.at('users.conf'), fill(textOf('users.conf'))),
    server: (at) => fill(textOf('server.conf')).replace('/var/lib/nats', at.at('data')),
    cluster: (at) => fill(textOf('cluster.conf')).replace('/var/lib/nats', at.at('data')),
  }
}

/** As docs/hub.md makes them, for a server on this machine. */
async function makeCertificates({ path: cwd }: Folder): Promise<void> {
  const openssl = (...words: string[]) => promisify(execFile)('openssl', words, { cwd })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=hub authority',
  )
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1'
  const own = [
    '-addext',
    names,
    '-addext',
    'basicConstraints=CA:FALSE',
    '-subj',
    '/CN=hub',
    '-days',
    '2',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
  ]
  await openssl('req', '-x509', ...key, '-keyout', 'hub.key', '-out', 'hub.pem', ...own)
}
