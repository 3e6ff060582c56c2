import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'
import { cacpd } from '../captured-terminal.ts'

const ME = {
  method: 'GET',
  path: '/users/me',
  response: { id: 'uuid', email: 'email', role: "'admin'|'user'" },
  errors: { 401: { message: 'string' } },
}
const { email: _, ...withoutEmail } = ME.response
const GONE = { ...ME, response: withoutEmail }
const MORE = { ...ME, response: { ...ME.response, 'avatar?': 'url' } }
const OPEN = { ...ME, response: { ...ME.response, role: "'admin'|'user'|'owner'" } }

const OPENAPI = (type: string) => `
openapi: 3.1.0
info: { title: Users, version: '1' }
paths:
  /users:
    get:
      parameters:
        - { name: page, in: query, schema: { type: ${type} } }
      responses:
        200:
          description: all
          content: { application/json: { schema: { type: object } } }
        400: { description: wrong }
`

describe('contract review of two files', () => {
  let folder: Folder
  beforeAll(async () => {
    folder = await folderWith({
      'me.json': JSON.stringify(ME),
      'gone.json': JSON.stringify(GONE),
      'more.json': JSON.stringify(MORE),
      'open.json': JSON.stringify(OPEN),
      'old.yaml': OPENAPI('[integer, string]'),
      'new.yaml': OPENAPI('integer'),
      'round.yaml': 'a: &a\n  b: *a\n',
      'bad.yaml': 'a: [1\nb: 2',
      'list.json': '[1]',
      'none.yaml': '\n',
      'two.yaml': 'a: 1\n---\nb: 2\n',
      'old.graphql': 'type Query { me: String, you: String }',
      'new.graphql': 'type Query { me: String }',
      'empty/': '',
    })
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  const review = (before: string, after: string, ...more: string[]) =>
    cacpd(['contract', 'review', '--before', before, '--after', after, ...more], {
      cwd: folder.at('.'),
      input: JSON.stringify(GONE),
    })

  test('needs no daemon, and says by its exit code what it found', async () => {
    expect(await review('me.json', 'gone.json')).toEqual({
      exitCode: 1,
      err: '',
      out: [
        'breaking: 1 change (http)',
        '! response.200.body.email: «email» is not returned any more',
        'rollout: consumers have to go first',
        '',
      ].join('\n'),
    })
    expect(await review('me.json', 'more.json')).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^compatible: 1 change \(http\)\n\+ response\.200\.body\.avatar: /),
    })
    expect(await review('me.json', 'open.json')).toMatchObject({
      exitCode: 3,
      out: expect.stringMatching(/^unknown: 1 change .*\n\? .*\nmissing: nobody has said whether/),
    })
    expect(await review('me.json', 'me.json')).toMatchObject({
      exitCode: 0,
      out: 'compatible: no changes (http)\n',
    })
  })

  test('is for consumers that use and tolerate what is said', async () => {
    expect(await review('me.json', 'open.json', '--tolerates', 'new_enum_values')).toEqual({
      exitCode: 0,
      err: '',
      out: [
        'compatible: 1 change (http)',
        '+ response.200.body.role: «role» may be «owner» now',
        'rollout: both sides may go first',
        '',
      ].join('\n'),
    })
    expect((await review('me.json', 'open.json', '--tolerates', 'null', 'new_fields')).exitCode).toBe(3)
    const uses = ['--uses', 'response.200.body.id', 'response.200.body.role']
    expect((await review('me.json', 'gone.json', ...uses)).exitCode).toBe(0)
    expect((await review('me.json', 'gone.json', '--uses', 'response.200.body')).exitCode).toBe(1)
  })

  test('refuses what consumers are said to use and neither file has', async () => {
    expect(await review('me.json', 'gone.json', '--uses', 'response.200.body.emial')).toEqual({
      exitCode: 2,
      out: '',
      err: expect.stringMatching(
        /^error: --uses: what is compared has no place response\.200\.body\.emial\nnext: Did you mean response\.200\.body\.email\?/,
      ),
    })
  })

  test('reads documents that are larger than a contract may be', async () => {
    const fields = (count: number) =>
      JSON.stringify({
        schema: {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: count }, (_, index) => [
              `field_${index}`,
              { type: 'string', maxLength: 99 },
            ]),
          ),
        },
      })
    await using large = await folderWith({ 'old.json': fields(8001), 'new.json': fields(8000) })
    const paths = ['--before', large.at('old.json'), '--after', large.at('new.json')]
    expect(await cacpd(['contract', 'review', ...paths])).toMatchObject({
      exitCode: 3,
      out: expect.stringMatching(
        /^unknown: 1 change \(model\)\n\? model\.field_8000: «field_8000» is not part/,
      ),
    })
  })

  test('reads YAML, GraphQL and what comes from stdin or stands in place', async () => {
    expect((await review('old.yaml', '@new.yaml')).out).toMatch(
      /^breaking: 1 change \(http\)\n! .*query\.page: /,
    )
    expect((await review('old.graphql', 'new.graphql')).out).toMatch(/^breaking: 1 change \(graphql\)\n/)
    expect((await review('me.json', '-')).exitCode).toBe(1)
    expect((await review(JSON.stringify(ME), 'gone.json')).exitCode).toBe(1)
  })

  test('says in every form that there are more changes than it tells', async () => {
    const names = Array.from({ length: 25 }, (_, index) => [`field${index}`, 'string'])
    const many = JSON.stringify({ ...ME, response: { ...ME.response, ...Object.fromEntries(names) } })
    for (const format of ['text', 'markdown', 'github']) {
      const { out } = await review(many, 'me.json', '--format', format)
      expect(out).toContain('breaking: at least 20 changes (http)')
      expect(out).toMatch(/there are more changes or notes than these, the worst changes come first\n$/)
    }
  })

  test('is printed as JSON, in the same words as the method answers', async () => {
    for (const words of [['--format', 'json'], ['--json']]) {
      const { exitCode, out } = await review('me.json', 'gone.json', ...words)
      expect(exitCode).toBe(1)
      expect(JSON.parse(out)).toMatchObject({ verdict: 'breaking', changes: [{ kind: 'property-removed' }] })
    }
  })

  test('is printed for a pull request, without markup or commands of what others wrote', async () => {
    const hostile = JSON.stringify({ ...ME, response: { ...withoutEmail, 'a|b\n::error::x': 'string' } })
    const { out } = await review('me.json', 'gone.json', '--format', 'markdown')
    expect(out.split('\n').slice(0, 5)).toEqual([
      '**breaking: 1 change (http)**',
      '',
      '| verdict | where | what |',
      '|---|---|---|',
      '| breaking | response.200.body.email | «email» is not returned any more |',
    ])
    const markdown = (await review(hostile, 'me.json', '--format', 'markdown')).out
    expect(markdown).not.toMatch(/^::|[^\\]\|b/m)
    const github = (await review(hostile, 'gone.json', '--format', 'github')).out
    for (const line of github.trimEnd().split('\n'))
      expect(line).toMatch(/^::(?:error|warning|notice) file=gone\.json,title=[^:,]+::/)
    expect(github).toMatch(/^::error file=gone\.json,title=Contract review::breaking: 1 change \(http\)\n/)
  })

  test.each([
    [['me.json', 'nowhere.json'], '--after: the file nowhere.json cannot be read (ENOENT)'],
    [['me.json', 'bad.yaml'], '--after: the file bad.yaml is neither JSON nor YAML: '],
    [['round.yaml', 'me.json'], '--before: the file round.yaml is neither JSON nor YAML: '],
    [['me.json', 'list.json'], '--after: the file list.json is no object of named values'],
    [['me.json', 'none.yaml'], '--after: the file none.yaml is empty'],
    [['two.yaml', 'me.json'], '--before: the file two.yaml has more than one YAML document: keep the one'],
    [['-', '-'], 'Only one of the two can come from stdin'],
    [['me.json', 'me.json', '--content', 'me.json'], '--content, --from and --to go with a contract'],
    [['me.json', 'me.json', '--type', 'letter'], "'letter' is invalid"],
    [['me.json', 'me.json', '--tolerates', 'rain'], "'rain' is invalid"],
  ])('is wrong usage with %j', async ([before = '', after = '', ...more], problem) => {
    const { exitCode, err, out } = await review(before, after, ...more)
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toContain(problem)
  })

  test.each([[[]], [['--before', 'x']], [['Get User', '--before', 'x', '--after', 'y']]])(
    'is wrong usage where it is not clear what is meant: %j',
    async (words) => {
      const { exitCode, err } = await cacpd(['contract', 'review', ...words])
      expect(exitCode).toBe(2)
      expect(err).toContain('Name the contract, or two files with --before and --after')
    },
  )
})

describe('contract review of a contract', () => {
  let running: TestDaemon
  let cwd: string
  beforeAll(async () => {
    running = await daemon()
    cwd = dirname(running.dataDir)
    const repos = ['backend-api', 'frontend-app'].map((name) => ({ name }))
    await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos })
    const params = { type: 'api_endpoint', name: 'Get User', content: ME, parties: ['backend-api'] }
    const { contractId } = await running.rpc('cacp/contract/propose', params)
    await running.rpc('cacp/contract/respond', { contractId, action: 'agree' })
    const parties = ['backend-api', 'frontend-app']
    await running.rpc('cacp/contract/update', { contractId, content: GONE, parties })
    await running.rpc('cacp/contract/propose', { ...params, name: 'Never agreed', parties })
  })
  afterAll(() => running[Symbol.asyncDispose]())

  const review = (...words: string[]) => cacpd(['contract', 'review', ...words], { cwd })

  test('compares what is proposed, or would be, with what is in force', async () => {
    expect(await review('Get User')).toMatchObject({
      exitCode: 1,
      out: expect.stringMatching(
        /^breaking: 1 change against version 1 \(http\)\n! response\.200\.body\.email/,
      ),
    })
    expect((await review('Get User', '--content', JSON.stringify(MORE))).exitCode).toBe(0)
    expect((await review('Get User', '--from', '2', '--to', '1')).exitCode).toBe(0)
    expect((await review('Get User', '--from', 'x')).exitCode).toBe(2)
    expect((await review('--contract-id', 'Get User')).exitCode).toBe(1)
    expect((await review('Get User', '--contract-id', 'Other')).exitCode).toBe(2)
  })

  test('stands in lines beside what is proposed', async () => {
    const { out } = await cacpd(['contract', 'get', 'Get User'], { cwd })
    expect(out).toContain(
      'review:\n  breaking: 1 change against version 1 (http)\n  ! response.200.body.email: «email» is not returned any more\n',
    )
  })

  test('stands before what was written differently', async () => {
    expect((await cacpd(['contract', 'diff', 'Get User'], { cwd })).out.split('\n')).toEqual([
      'Get User: version 1 (in force, by backend-api) → version 2 (proposed, by backend-api)',
      'breaking: 1 change against version 1 (http)',
      '! response.200.body.email: «email» is not returned any more',
      'rollout: consumers have to go first',
      'what was written differently:',
      '+ party frontend-app',
      '- response.email: "email"',
      '',
    ])
    const { out } = await cacpd(['contract', 'diff', 'Get User', '--json'], { cwd })
    expect(JSON.parse(out)).toMatchObject({
      review: { verdict: 'breaking', changes: [{ at: 'response.200.body.email' }] },
      differences: [{ mark: '-', path: 'response.email' }],
    })
  })

  test('breaks nobody where nothing was ever agreed', async () => {
    expect(await review('Never agreed')).toMatchObject({
      exitCode: 0,
      out: 'no verdict: nothing is in force to compare with (http)\n',
    })
  })

  test('refuses a contract that is nowhere', async () => {
    expect(await review('Nowhere')).toMatchObject({ exitCode: 1, err: expect.stringContaining('Nowhere') })
  })
})

describe('of a contract that two repos have', () => {
  let running: TestDaemon
  let cwd: string
  const FRONTEND = 'aid://example.com/frontend@1.0.0'
  beforeAll(async () => {
    running = await daemon()
    cwd = dirname(running.dataDir)
    const repos = [{ name: 'backend-api' }, { name: 'frontend-app', role: 'frontend' }]
    await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos })
    const params = { type: 'api_endpoint', name: 'Get User', content: ME }
    await asFrontend('project', 'join', '--repo-name', 'frontend-app')
    await running.rpc('cacp/contract/propose', params)
    await asFrontend('contract', 'agree', 'Get User')
    await running.rpc('cacp/contract/update', { contractId: 'Get User', content: OPEN })
  })
  afterAll(() => running[Symbol.asyncDispose]())

  const review = () => cacpd(['contract', 'review', 'Get User'], { cwd })
  const asFrontend = (...words: string[]) => cacpd([...words, '--agent-id', FRONTEND], { cwd })
  const expects = (...words: string[]) => asFrontend('contract', 'expect', 'Get User', ...words)

  test('contract expect answers what is open, and contract unused lists what nobody uses', async () => {
    expect(await review()).toMatchObject({
      exitCode: 3,
      out: expect.stringContaining(
        'frontend-app: unknown\nmissing: frontend-app has not said whether it tolerates new_enum_values in «response.200.body.role»\n',
      ),
    })
    const email = 'response.200.body.email'
    const said = await expects('--tolerates', 'new_enum_values', '--uses', email, '--site', `${email}=a.ts:4`)
    expect(said).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(
        `frontend-app (consumer) uses ${email} (a.ts:4)\ntolerates new_enum_values\ncompatible: 1 change`,
      ),
    })
    expect((await review()).exitCode).toBe(0)
    expect(await cacpd(['contract', 'unused', 'Get User'], { cwd })).toMatchObject({
      out: 'not used of version 1 by frontend-app:\nresponse.200.body.id\nresponse.200.body.role\nresponse.401.body.message\n',
    })
    expect((await expects('--site', 'nothing')).exitCode).toBe(2)
    expect(await expects('--uses', 'response.200.body.emial')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`Did you mean ${email}?`),
    })
    expect((await expects('--uses', 'all', '--tolerates', 'none')).out).toContain(
      'uses all of it\ntolerates none of new_enum_values, new_fields, null, missing_optional\n',
    )
    expect(await cacpd(['contract', 'unused', 'Get User'], { cwd })).toMatchObject({
      out: 'frontend-app has not said what of it is used, with cacpd contract expect\n',
    })
    expect((await expects('--uses', 'none')).out).toContain('uses nothing\n')
  })

  test('contract agree accepts what hurts, which the review shows from then on', async () => {
    await running.rpc('cacp/contract/update', { contractId: 'Get User', content: GONE })
    const email = 'response.200.body.email'
    await expects('--uses', email, '--site', `${email}=a.ts:4`)
    const { out: shown } = await review()
    expect(shown).toContain('frontend-app: breaking, a.ts:4\n')
    const [, gone = ''] = /^! response\.200\.body\.email: .* \[([0-9a-f]{12})\]$/m.exec(shown) ?? []
    const agreed = await asFrontend('contract', 'agree', 'Get User', '--accepts', gone, '--version', '3')
    expect(agreed).toMatchObject({ exitCode: 0 })
    const told = (await cacpd(['contract', 'history', 'Get User'], { cwd })).out
    expect(told).toMatch(/ {2}frontend-app: agree, accepts a change that breaks it \([0-9a-f]{12}\)\n$/)
    expect((await cacpd(['contract', 'get', 'Get User'], { cwd })).out).toMatch(
      / suggested_change +accepts .*\n.*\n +frontend-app +agree +3 +- +1 /,
    )
    expect((await cacpd(['contract', 'review', 'Get User', '--from', '1'], { cwd })).out).toMatch(
      /frontend-app: breaking, a\.ts:4, accepted by aid:\/\/example\.com\/frontend@1\.0\.0 on \d{4}-\d\d-\d\d \d\d:\d\dZ\n/,
    )
  })
})
