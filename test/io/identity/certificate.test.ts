import { X509Certificate } from 'node:crypto'
import { chmod, stat, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ensureCertificate, readCertificate } from '../../../src/io/identity/certificate.ts'
import { DataDirError } from '../../../src/io/place/data-dir.ts'
import { folderWith } from '../../support/folders/folder.ts'

const NAMES = ['team.example', '192.0.2.7', '::1']

test('a certificate of our own is made once, for all names, and only its owner can read its key', async () => {
  await using folder = await folderWith()
  const first = await ensureCertificate(folder.path, NAMES)
  expect(first).toMatchObject({ isSelfSigned: true, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) })
  const { subjectAltName } = new X509Certificate(first.cert)
  for (const name of ['DNS:team.example', 'IP Address:192.0.2.7', 'IP Address:0:0:0:0:0:0:0:1'])
    expect(subjectAltName).toContain(name)
  expect((await stat(folder.at('tls.pem'))).mode & 0o777).toBe(0o600)
  expect(await ensureCertificate(folder.path, ['other.example'])).toEqual(first)
})

test('one whose key others can read is refused, and says what to do', async () => {
  await using folder = await folderWith()
  await ensureCertificate(folder.path, NAMES)
  await chmod(folder.at('tls.pem'), 0o644)
  await expect(ensureCertificate(folder.path, NAMES)).rejects.toThrow(DataDirError)
})

test('one that the operator has is read; what is none is named', async () => {
  await using folder = await folderWith()
  const { cert, key } = await ensureCertificate(folder.path, NAMES)
  await writeFile(folder.at('cert.pem'), cert)
  await writeFile(folder.at('key.pem'), key)
  await writeFile(folder.at('text.pem'), 'text')
  expect(await readCertificate(folder.at('cert.pem'), folder.at('key.pem'))).toMatchObject({
    isSelfSigned: true,
  })
  await expect(readCertificate(folder.at('text.pem'), folder.at('key.pem'))).rejects.toThrow(
    'certificate in PEM',
  )
  await expect(readCertificate(folder.at('none.pem'), folder.at('key.pem'))).rejects.toThrow('(ENOENT)')
})

test('a key that is not that of the certificate is named', async () => {
  await using folder = await folderWith()
  await using other = await folderWith()
  const { cert } = await ensureCertificate(folder.path, NAMES)
  const { key } = await ensureCertificate(other.path, NAMES)
  await writeFile(folder.at('cert.pem'), cert)
  await writeFile(folder.at('key.pem'), key)
  await writeFile(folder.at('text.pem'), 'text')
  for (const name of ['key.pem', 'text.pem'])
    await expect(readCertificate(folder.at('cert.pem'), folder.at(name))).rejects.toThrow(
      `${folder.at(name)} does not hold the key of the certificate at ${folder.at('cert.pem')}`,
    )
})
