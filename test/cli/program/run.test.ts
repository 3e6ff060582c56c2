import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { cacpd } from '../captured-terminal.ts'

let running: TestDaemon
let cwd: string
let projectId: string

const AS_JSON = `next: Write it as JSON, with quotes around names and texts, as in '{"name":"text"}'; or @file, or - for stdin`

beforeAll(async () => {
  running = await daemon()
  cwd = dirname(running.dataDir)
  const { out } = await cacpd(['project', 'create', '--name', 'Auth', '--objective', 'login', '--json'], {
    cwd,
  })
  projectId = (JSON.parse(out) as { projectId: string }).projectId
})
afterAll(() => running[Symbol.asyncDispose]())

describe('a method command', () => {
  test('prints the raw result with --json', async () => {
    const { exitCode, out, err } = await cacpd(['project', 'get', '--project-id', projectId, '--json'], {
      cwd,
    })
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ project_id: projectId, name: 'Auth' })
    expect(out.match(/\n/g)).toHaveLength(1)
  })

  test('prints text for people without it', async () => {
    const { out } = await cacpd(['project', 'list'], { cwd })
    expect(out).toMatch(/^projects:\n {2}projectId +name +status +repoCount +contractCount +createdAt\n/)
    expect(out).toContain(`${projectId.slice(0, 13)}  Auth  planning`)
  })

  test('takes JSON in place, from a file and from stdin', async () => {
    await writeFile(join(cwd, 'content.json'), '{"from":"file"}')
    const propose = async (content: string) => {
      const words = [
        '--project-id',
        projectId,
        '--type',
        'custom',
        '--name',
        'Me',
        '--content',
        content,
        '--json',
      ]
      const { out } = await cacpd(['contract', 'propose', ...words], { cwd, input: '{"from":"stdin"}' })
      const { contractId } = JSON.parse(out) as { contractId: string }
      return (await running.rpc('cacp/contract/get', { projectId, contractId })).content
    }
    expect(await propose('{"from":"place"}')).toEqual({ from: 'place' })
    expect(await propose('@content.json')).toEqual({ from: 'file' })
    expect(await propose('-')).toEqual({ from: 'stdin' })
  })

  test.each([
    ['{', `--content: the value is not JSON\n${AS_JSON}`],
    ['@missing.json', '--content: the file missing.json cannot be read (ENOENT)'],
    ['-', `--content: what came from stdin is not JSON\n${AS_JSON}`],
  ])('says what is wrong with --content %s and calls nobody', async (content, message) => {
    const words = ['--project-id', projectId, '--type', 'custom', '--name', 'Me', '--content', content]
    expect(await cacpd(['contract', 'propose', ...words], { cwd, input: '' })).toEqual({
      exitCode: 2,
      out: '',
      err: `error: ${message}\n`,
    })
  })

  test('is carried out once per idempotency key', async () => {
    const words = [
      'project',
      'create',
      '--name',
      'Once',
      '--objective',
      '',
      '--idempotency-key',
      'k1',
      '--json',
    ]
    const first = await cacpd(words, { cwd })
    expect(await cacpd(words, { cwd })).toEqual(first)
  })

  test('acts as the agent that is named', async () => {
    const words = ['project', 'create', '--name', 'Theirs', '--objective', '', '--json']
    const { out } = await cacpd([...words, '--agent-id', 'aid://example.com/web@1.0.0'], { cwd })
    const created = await running.rpc('cacp/project/get', { projectId: JSON.parse(out).projectId })
    expect(created.created_by).toBe('aid://example.com/web@1.0.0')
  })

  test('tells a refusal with its next step and exit code 1', async () => {
    const words = ['contract', 'get', '--project-id', projectId, '--contract-id', 'nope']
    const { exitCode, out, err } = await cacpd(words, { cwd })
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(err).toMatch(
      /^error: No contract nope .*\nnext: List the contracts with cacpd contract list\n {2}cacpd contract list --project-id [\w-]+\n$/,
    )

    const asJson = await cacpd([...words, '--json'], { cwd })
    expect(asJson).toMatchObject({ exitCode: 1, err: '' })
    expect(JSON.parse(asJson.out)).toMatchObject({
      error: { code: -32602, kind: 'not_found', data: { contractId: 'nope' } },
    })
  })
})

describe('what somebody wrote', () => {
  test('is shown in full, with whole ids', async () => {
    const content = { method: 'GET', path: '/users/me', answers: { ok: ['name', 'email'] } }
    const proposal = { projectId, type: 'custom', name: 'Me', content }
    const { contractId } = await running.rpc('cacp/contract/propose', proposal)
    const question = 'Which of the many ways to authenticate should the mobile clients take in the end?'
    const asked = await running.rpc('cacp/context/askQuestion', { projectId, question })
    const { requestId } = await running.rpc('cacp/file/request', { projectId, description: question })
    const said = (words: readonly string[]) =>
      cacpd([...words, '--project-id', projectId], { cwd, width: 80 }).then(({ out }) => out)

    expect(await said(['contract', 'get', '--contract-id', contractId])).toContain(
      `content:\n${JSON.stringify(content, null, 2).replaceAll(/^/gm, '  ')}\n`,
    )
    for (const words of [
      ['context', 'list'],
      ['context', 'get-thread', '--packet-id', asked.packetId],
    ])
      expect(await said(words)).toContain(question)
    expect(await said(['file', 'list-requests'])).toContain(
      `requestId: ${requestId}\n  description: ${question}\n`,
    )
  })
})

describe('cacpd rpc discover', () => {
  test('answers the OpenRPC document', async () => {
    const { exitCode, out } = await cacpd(['rpc', 'discover', '--json'], { cwd })
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ openrpc: expect.any(String) })
  })
})

describe('cacpd call', () => {
  test('calls any method with params from the argument or stdin', async () => {
    const get = ['call', 'cacp/project/get', '--json']
    const params = JSON.stringify({ projectId })
    const { out } = await cacpd([...get, params], { cwd })
    expect(JSON.parse(out)).toMatchObject({ name: 'Auth' })
    expect(await cacpd([...get, '-'], { cwd, input: params })).toMatchObject({ exitCode: 0, out })
  })

  test('refuses params that are no object', async () => {
    expect(await cacpd(['call', 'cacp/project/list', '[1]'], { cwd })).toMatchObject({
      exitCode: 2,
      err: 'error: params: must be a JSON object of named values\n',
    })
  })

  test('tells that a method does not exist', async () => {
    const { exitCode, err } = await cacpd(['call', 'cacp/nope'], { cwd })
    expect(exitCode).toBe(2)
    expect(err).toContain('error: Method not found: cacp/nope\nnext: ')
  })
})

describe('looking', () => {
  test('cacpd key prints nothing but the key', async () => {
    expect(await cacpd(['key'], { cwd })).toEqual({ exitCode: 0, out: `${running.key}\n`, err: '' })
    expect(JSON.parse((await cacpd(['key', '--json'], { cwd })).out)).toEqual({ key: running.key })
  })

  test('cacpd status shows who runs where and what it holds', async () => {
    await running.rpc('cacp/contract/propose', { projectId, type: 'custom', name: 'Alone', content: {} })
    const { count: inbox } = await running.rpc('cacp/inbox/list', {})
    expect(inbox).toBeGreaterThan(0)
    const { out } = await cacpd(['status', '--json', '--data', running.dataDir])
    expect(JSON.parse(out)).toMatchObject({
      status: 'healthy',
      url: running.url,
      repo: 'backend-api',
      agentId: 'aid://example.com/backend@1.0.0',
      pid: process.pid,
      data: running.dataDir,
      role: 'backend',
      inbox,
      projects: expect.any(Number),
      peers: [],
    })
    expect((await cacpd(['status'], { cwd: '/', env: { CACP_DATA: running.dataDir } })).out).toMatch(
      /^status: healthy\n/,
    )
  })

  test('says what to do where no daemon ever was', async () => {
    await using folder = await folderWith()
    expect(await cacpd(['status'], { cwd: folder.path })).toEqual({
      exitCode: 1,
      out: '',
      err:
        `error: No data directory of cacpd in ${folder.path} or any folder above\n` +
        'next: Run `cacpd up -d` in the repository, or name the directory with --data DIR or CACP_DATA\n',
    })
  })
})

describe('the command line', () => {
  test('has help for a group and for a command, asked for either way', async () => {
    const { out } = await cacpd(['contract', '--help'])
    expect(out).toMatch(/propose \[options\] +Propose/)
    expect(await cacpd(['help', 'contract'])).toMatchObject({ exitCode: 0, out })
  })

  test('prints the version', async () => {
    expect(await cacpd(['--version'])).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })

  test.each([
    [['contrct'], "error: unknown command 'contrct'\n(Did you mean contract?)\n"],
    [['foo'], "error: unknown command 'foo'\nnext: cacpd --help lists all commands\n"],
    [
      ['contract', 'reject', 'List Shoes'],
      "error: unknown command 'reject'\n(Did you mean contract respond --action reject?)\n",
    ],
    [['contract', 'propos'], "error: unknown command 'propos'\n(Did you mean contract propose?)\n"],
    [['contract', 'zzz'], "error: unknown command 'zzz'\nnext: cacpd contract --help lists all commands\n"],
    [['status', '--verbose'], "error: unknown option '--verbose'\nnext: See cacpd status --help\n"],
    [['call'], "error: missing required argument 'method'\nnext: See cacpd call --help\n"],
    [
      ['inbox', 'take', '--minutes'],
      "error: option '--minutes <number>' argument missing\nnext: See cacpd inbox take --help\n",
    ],
    [
      ['call', 'cacp/project/list', '{'],
      'error: params: the value is not JSON\nnext: Write it as JSON, with quotes around names and texts, as in \'{"name":"text"}\'; or @file, or - for stdin\n',
    ],
    [
      ['start', '--port', 'http'],
      'error: flag --port is "http", but must be a whole number from 0 to 65535\n',
    ],
  ])('%j is wrong usage', async (words, err) => {
    expect(await cacpd(words, { cwd })).toEqual({ exitCode: 2, out: '', err })
  })

  test('tells wrong usage as JSON when asked to', async () => {
    const { exitCode, out } = await cacpd(['contract', 'get', '--json'])
    expect(exitCode).toBe(2)
    expect(JSON.parse(out)).toEqual({
      error: {
        kind: 'usage',
        message: 'CONTRACT is missing: its ID or name (or --contract-id)',
        next: 'See cacpd contract get --help',
      },
    })
  })

  test.each([[[]], [['contract']]])('%j alone shows help, as wrong usage', async (words) => {
    const { exitCode, out, err } = await cacpd(words)
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toMatch(/^Usage: cacpd/m)
  })
})
