import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const FRONTEND = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }

let running: TestDaemon
let root: string
let projectId: string

beforeAll(async () => {
  running = await daemon()
  root = dirname(running.dataDir)
  const repos = ['backend-api', 'frontend-app'].map((name) => ({ name }))
  projectId = (await running.rpc('cacp/project/create', { name: 'Shop', objective: '', repos })).projectId
  await running.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
  await mkdir(join(root, 'api/schemas'), { recursive: true })
})
afterAll(() => running[Symbol.asyncDispose]())

const contract = (...words: string[]) => cacpd(['contract', ...words], { cwd: root })
const put = (name: string, text: string) => writeFile(join(root, 'api', name), text)

const openapi = (properties: string, more = '') => `openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /users/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: 'schemas/user.yaml#/User'}}}}
    delete:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"204": {description: gone}}
${more}components: {schemas: {Unused: {type: object, properties: ${properties}}}}
`
const user = (properties: string) => `User: {type: object, required: [id], properties: ${properties}}`

/** Everything that is proposed is agreed to. */
async function agreeToAll(): Promise<void> {
  const { contracts } = await running.rpc('cacp/contract/list', { projectId })
  for (const { contractId, unanswered } of contracts)
    if (unanswered.length > 0)
      await running.rpc('cacp/contract/respond', { projectId, contractId, action: 'agree' }, FRONTEND)
}

describe('cacpd contract import, drift and export', () => {
  test('proposes one contract for each operation, with what it refers to in other files', async () => {
    await put('openapi.yaml', openapi('{}'))
    await put('schemas/user.yaml', user('{id: {type: string}, next: {$ref: "#/User"}}'))
    expect(await contract('import', 'api/openapi.yaml', '--dry-run')).toMatchObject({
      exitCode: 0,
      out: '+ GET /users/{id}\n+ DELETE /users/{id}\n2 would be proposed, 0 would be changed, 0 as they are\n',
    })
    expect((await contract('list', '--json')).out).toContain('"contracts":[]')
    expect(await contract('import', 'api/openapi.yaml', '--select', 'get *')).toMatchObject({
      exitCode: 0,
      out: '+ GET /users/{id}\n1 proposed, 0 changed, 0 as they are\n',
    })
    const { content } = JSON.parse((await contract('get', 'GET /users/{id}', '--json')).out)
    expect(content).toMatchObject({
      'x-source': 'api/openapi.yaml',
      paths: { '/users/{id}': { get: expect.anything() } },
      'x-files': { 'schemas/user.yaml': { User: { required: ['id'] } } },
    })
    expect(content).not.toHaveProperty('components')
  })

  test('imports again only what means something else', async () => {
    expect((await contract('import', 'api/openapi.yaml')).out).toBe(
      '+ DELETE /users/{id}\n1 proposed, 0 changed, 1 as they are\n',
    )
    await agreeToAll()
    const again = await contract('import', 'api/openapi.yaml', '--json')
    expect(JSON.parse(again.out)).toEqual({ proposed: [], updated: [], unchanged: 2, refused: [] })
    await put(
      'schemas/user.yaml',
      user('{id: {type: string, description: Which one}, next: {$ref: "#/User"}}'),
    )
    expect((await contract('import', 'api/openapi.yaml')).out).toBe('0 proposed, 0 changed, 2 as they are\n')
  })

  test('says how a document and what is in force differ, with exit codes as review has them', async () => {
    expect(await contract('drift', 'api/openapi.yaml')).toMatchObject({
      exitCode: 0,
      out: '= GET /users/{id}, version 1: same\n= DELETE /users/{id}, version 1: same\n',
    })
    await put('schemas/user.yaml', user('{id: {type: string}, nick: {type: string}, next: {$ref: "#/User"}}'))
    expect(await contract('drift', 'api/openapi.yaml')).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining(
        '> GET /users/{id}, version 1: ahead\n    GET /users/{id}: response.200.body.',
      ),
    })
    await put('schemas/user.yaml', 'User: {type: object, required: [id], properties: {id: {type: integer}}}')
    expect(await contract('drift', 'api/openapi.yaml', '--select', 'GET *')).toMatchObject({
      exitCode: 1,
      out: expect.stringMatching(/^! GET \/users\/\{id\}, version 1: breaking\n/),
    })
    const { out } = await contract('drift', 'api/openapi.yaml', '--json')
    expect(JSON.parse(out)).toMatchObject({
      answer: 'drift',
      rows: [{ drift: 'breaking' }, { drift: 'same' }],
    })
    await put('openapi.yaml', openapi('{}').replace(/ {4}delete:\n.*\n.*\n/, ''))
    expect((await contract('drift', 'api/openapi.yaml')).out).toContain(
      '< DELETE /users/{id}, version 1: behind',
    )
    await put('openapi.yaml', openapi('{}'))
  })

  test('proposes the change of a document as the next version', async () => {
    expect((await contract('import', 'api/openapi.yaml')).out).toBe(
      '~ GET /users/{id}\n0 proposed, 1 changed, 1 as they are\n',
    )
    await agreeToAll()
    expect((await contract('drift', 'api/openapi.yaml')).exitCode).toBe(0)
  })

  test('exports what it imported, so that there is no drift', async () => {
    expect((await contract('export', '--openapi', '-o', 'api/out.yaml')).exitCode).toBe(0)
    const { openapi: version, paths } = parse(await readFile(join(root, 'api/out.yaml'), 'utf8'))
    expect([version, Object.keys(paths['/users/{id}'])]).toEqual(['3.1.0', ['get', 'delete']])
    expect((await contract('drift', 'api/out.yaml')).exitCode).toBe(0)
    expect((await contract('import', 'api/out.yaml')).out).toBe('0 proposed, 0 changed, 2 as they are\n')
    const markdown = await contract('export', '--markdown')
    expect(markdown.out).toContain('## GET /users/{id}\n\nVersion 2, http: GET /users/{}\n\n```ts\n')
    expect(await contract('export', '--asyncapi')).toMatchObject({
      exitCode: 0,
      err: expect.stringContaining('left out: GET /users/{id}: it is http'),
    })
    expect(await contract('export')).toMatchObject({ exitCode: 2, err: expect.stringContaining('--openapi') })
  })

  test('takes models, GraphQL and protobuf', async () => {
    await put(
      'models.json',
      JSON.stringify({
        $defs: { A: { type: 'object', properties: { b: { $ref: '#/$defs/B' } } }, B: { type: 'string' } },
      }),
    )
    await put(
      'user.json',
      JSON.stringify({
        title: 'Person',
        type: 'object',
        properties: { a: { $ref: 'models.json#/$defs/A' } },
      }),
    )
    await put('shop.graphql', 'type Query { me: String }')
    await put('shop.proto', 'syntax = "proto3"; message Pet { string name = 1; }')
    const names = async (file: string) =>
      JSON.parse((await contract('import', file, '--dry-run', '--json')).out).proposed
    expect(await names('api/models.json')).toEqual(['A', 'B'])
    expect(await names('api/user.json')).toEqual(['Person'])
    expect(await names('api/shop.graphql')).toEqual(['shop'])
    expect(await names('api/shop.proto')).toEqual(['shop'])
  })
})

describe('a document that is refused', () => {
  const imported = (text: string, name = 'bad.yaml') =>
    put(name, text).then(() => contract('import', `api/${name}`, '--dry-run'))
  const refers = (ref: string) => `openapi: 3.1.0\npaths: {/a: {get: {responses: {"200": {$ref: '${ref}'}}}}}`

  test.each([
    ['../outside.yaml#/x', 'is outside of the folder of the document, and is not read'],
    ['link.yaml#/x', 'is outside of the folder of the document, and is not read'],
    ['/etc/passwd', 'is outside of the folder of the document, and is not read'],
    ['https://example.com/a.yaml', 'is somewhere else, and nothing is fetched'],
    ['file:///etc/passwd', 'is somewhere else, and nothing is fetched'],
    ['//example.com/a.yaml', 'is somewhere else, and nothing is fetched'],
    ['missing.yaml', 'cannot be read (ENOENT)'],
    ['#/nowhere', 'leads nowhere in the document'],
  ])('names the reference %s', async (ref, why) => {
    await writeFile(join(root, 'outside.yaml'), 'x: 1')
    await symlink('../outside.yaml', join(root, 'api/link.yaml')).catch(() => undefined)
    const { exitCode, err } = await imported(refers(ref))
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`$ref «${ref}» ${why}`)])
  })

  test.each([
    ['swagger: "2.0"', 'it is swagger 2.0; OpenAPI 3.0 and 3.1, and AsyncAPI 2 and 3 are known'],
    ['hello: there', 'it is neither OpenAPI, AsyncAPI, JSON Schema, GraphQL nor protobuf'],
    ['[1, 2]', 'is no object of named values'],
    ['', 'is no object of named values'],
    ['a: [', 'is neither JSON nor YAML'],
    ['openapi: 3.1.0', 'there is nothing in it that is wanted'],
    [`{"a": ${'['.repeat(300)}${']'.repeat(300)}}`, 'is nested deeper than 120 levels'],
  ])('says what is wrong with %s', async (text, why) => {
    const { exitCode, err } = await imported(text)
    expect([exitCode, err]).toEqual([2, expect.stringContaining(why)])
  })

  test('is refused with a clear answer where it is too large, and taken where it is not', async () => {
    const operations = (count: number, filler: string) =>
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: filler, version: '1' },
        paths: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [
            `/p${at}`,
            { get: { description: filler, responses: { 200: { description: '' } } } },
          ]),
        ),
      })
    const large = await imported(operations(5000, 'x'.repeat(4000)), 'large.json')
    expect(large).toMatchObject({ exitCode: 0, out: expect.stringContaining('5000 would be proposed') })
    const many = await imported(operations(5001, ''), 'many.json')
    expect(many).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('more than 5000 operations, messages or models'),
    })
    const huge = await imported(operations(1, 'x'.repeat(300_000)), 'huge.json')
    expect(huge).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining(
        '! GET /p0: with all that it refers to it has more than 262144 characters',
      ),
    })
    const beyond = await imported(JSON.stringify({ a: 'x'.repeat(33 * 1024 * 1024) }), 'beyond.json')
    expect(beyond).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('beyond.json is too large: 32 MiB are read at most'),
    })
    const yaml = await imported(`a: ${'x'.repeat(9 * 1024 * 1024)}`)
    expect(yaml).toMatchObject({ exitCode: 2, err: expect.stringContaining('is YAML of more than 8 MiB') })
  }, 120_000)
})
