import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { render } from '../../../src/cli/output/render.ts'

const PLAIN = { colour: false, width: Number.POSITIVE_INFINITY }

describe('a result for people', () => {
  test('is a line per value', () => {
    expect(render({ projectId: 'p1', repoCount: 2, hint: null }, PLAIN)).toBe(
      'projectId: p1\nrepoCount: 2\nhint: -',
    )
  })

  test('is a table however long the list is', () => {
    const rows = Array.from({ length: 200_000 }, (_, n) => ({ n }))
    const lines = render({ rows }, PLAIN).split('\n')
    expect([lines.length, lines[1], lines.at(-1)]).toEqual([200_002, '  n', '  199999'])
  })

  test('is a table per list of objects, the id and the name first, nothing twice', () => {
    const contracts = [
      { version: 1, contract_id: 'c1', contractId: 'c1', parties: ['x'], name: 'Login', claims: [] },
      { version: 12, contract_id: 'c2', contractId: 'c2', parties: [], name: 'Me', claims: [] },
    ]
    expect(render({ contracts }, PLAIN)).toBe(
      [
        'contracts:',
        '  contract_id  name   version  parties',
        '  c1           Login  1        1',
        '  c2           Me     12       0',
      ].join('\n'),
    )
  })

  test('spells out the ids that a row is about, and counts all other lists', () => {
    const lines = [{ what: 'POST /pair', ids: ['aid://a/b@1.0.0', 'i1'], files: ['x', 'y'] }]
    expect(render({ lines }, PLAIN)).toBe(
      ['lines:', '  what        ids                 files', '  POST /pair  aid://a/b@1.0.0,i1  2'].join('\n'),
    )
  })

  test('has the chosen columns where a method has some', () => {
    const projects = [
      { project_id: 'p', projectId: 'p', name: 'n', repos: [{}], repoCount: 1, objective: 'o' },
    ]
    const columns = { projects: ['projectId', 'name', 'repoCount', 'archived'] }
    expect(render({ projects }, PLAIN, columns)).toBe(
      ['projects:', '  projectId  name  repoCount', '  p          n     1'].join('\n'),
    )
  })

  test('hides what is for peers, and lists that are counted', () => {
    const project = { name: 'n', claims: [], repos: [{ name: 'r' }], repoCount: 1 }
    expect(render(project, PLAIN)).toBe('name: n\nrepoCount: 1')
  })

  test('says of somebody’s word only what is not as usual, and what is in force in a few words', () => {
    const by = { statement: 's1', agent_id: 'aid://a/b@1.0.0', proof: 'signed' }
    const reported = { ...by, proof: 'reported', reported_by: 'aid://c/d@1.0.0', mark: 'unconfirmed' }
    const responses = [
      { action: 'agree', by: { ...reported, revoked: true } },
      { action: 'reject', by },
    ]
    const contract = {
      name: 'Me',
      inForce: { version: 1, status: 'agreed', revision: 'r' },
      withdrawn: false,
      retired: true,
      head: { by: reported },
      responses,
    }
    expect(render(contract, PLAIN)).toBe(
      [
        'name: Me',
        'inForce: version 1, agreed',
        'retired: true',
        'responses:',
        '  action  by',
        '  agree   reported by «aid://c/d@1.0.0», unconfirmed, revoked',
        '  reject  -',
        'by: reported by «aid://c/d@1.0.0», unconfirmed',
      ].join('\n'),
    )
    expect(render({ packets: [{ packet_id: 'p1', by }] }, PLAIN)).toBe('packets:\n  packet_id\n  p1')
  })

  const REPO = 'b8d1f3a7-06c2-8e94-a7b5-91c04d2e6f38'
  const OTHER = '5c0b2e0e-7f6a-8d41-9f0e-3f7d1c2a9b64'
  const KNOWING = {
    ...PLAIN,
    now: Date.parse('2026-11-16T09:03:00Z'),
    repos: new Map([
      [REPO, 'backend-api'],
      [OTHER, 'web'],
    ]),
  }
  const contract = (more: object) => ({
    contractId: '01a1e274-2f5d-7b1c-8a53-6d0e4c91f2b7',
    name: 'Me',
    version: 2,
    status: 'proposed',
    proposedBy: REPO,
    needed: [REPO, OTHER],
    objections: [],
    unanswered: [],
    conflictCount: 0,
    ...more,
  })
  const marksOf = (...more: object[]) =>
    render({ contracts: more.map(contract) }, KNOWING, { contracts: ['marks', 'inForce', 'objects'] })
      .split('\n')
      .slice(2)
      .map((line) => line.trim())

  test('marks what is not as usual, each thing in its row', () => {
    const inForce = { version: 2, status: 'proposed' }
    expect(
      marksOf(
        { inForce, conflictCount: 2, objections: [OTHER] },
        { inForce: { version: 1, status: 'agreed' }, conflicts: [{}] },
        { inForce: null, withdrawn: true, retired: true },
        { inForce: null, archived: true },
        { inForce: null, archived: false, withdrawn: false },
      ),
    ).toEqual([
      'conflict,objection  yes        web',
      'conflict            1, agreed  -',
      'withdrawn,retired   -          -',
      'archived            -          -',
      '-                   -          -',
    ])
    const painted = render({ rows: [{ marks: ['conflict', 'retired'] }] }, { ...PLAIN, colour: true })
    expect(painted).toContain('\u001b[31mconflict\u001b[39m,\u001b[2mretired\u001b[22m')
  })

  test.each([
    {
      who: 'the author agrees, others are silent',
      more: { unanswered: [OTHER] },
      told: 'backend-api  web',
    },
    { who: 'all agree', more: {}, told: 'all' },
    { who: 'the author objects to its own', more: { objections: [REPO] }, told: 'web  backend-api' },
    {
      who: 'an author alone has to say so',
      more: { needed: [REPO] },
      told: '-  backend-api',
    },
    {
      who: 'an author alone has said so',
      more: { needed: [REPO], status: 'agreed' },
      told: 'all',
    },
    {
      who: 'somebody who is no party wrote it',
      more: { needed: [OTHER], unanswered: [OTHER] },
      told: 'backend-api  web',
    },
  ])('tells who has answered what, and nothing of those that there are none of: $who', ({ more, told }) => {
    const columns = { contracts: ['agree', 'objects', 'silent'] }
    const [, , row = ''] = render({ contracts: [contract(more)] }, KNOWING, columns).split('\n')
    expect(row.trim().replaceAll(/ +/g, '  ')).toBe(told)
  })

  test('has several repos in the order of their names, whatever their ids are', () => {
    for (const parties of [
      [REPO, OTHER],
      [OTHER, REPO],
    ]) {
      expect(render({ parties }, KNOWING)).toBe('parties: backend-api, web')
      expect(render({ rows: [{ blames: parties }] }, KNOWING)).toContain('backend-api,web')
    }
  })

  test('names repos in rows instead of their ids, under one key, and nothing twice', () => {
    const rows = [
      { repoId: REPO, blames: [OTHER], status: 'complete' },
      { repoId: 'unknown', blames: [], status: 'pending' },
    ]
    expect(render({ rows }, KNOWING)).toBe(
      [
        'rows:',
        '  repo         status    blames',
        '  backend-api  complete  web',
        '  unknown      pending   -',
      ].join('\n'),
    )
    expect(render({ repos: [{ repo_id: REPO, name: 'backend-api' }] }, KNOWING)).toBe(
      'repos:\n  name\n  backend-api',
    )
    expect(render({ delivery: [{ repo_id: REPO, repo: 'backend-api', state: 'seen' }] }, KNOWING)).toBe(
      'delivery:\n  repo         state\n  backend-api  seen',
    )
  })

  test('keeps the ids of the one thing that it is about whole, and its times exact', () => {
    const projectId = '01a1e274-2f5d-7b1c-8a53-6d0e4c91f2b7'
    const at = '2026-11-16T09:00:00.000000Z'
    const result = { projectId, repoId: REPO, parties: [REPO, OTHER], created_at: at, name: at }
    expect(render(result, KNOWING)).toBe(
      [
        `projectId: ${projectId}`,
        `repoId: ${REPO}`,
        'parties: backend-api, web',
        `created_at: ${at} (3 min ago)`,
        `name: ${at}`,
      ].join('\n'),
    )
    expect(render({ rows: [{ projectId, created_at: at }] }, KNOWING)).toContain('01a1e274-2f5d  3 min ago')
    expect(render({ rows: [{ projectId, created_at: at }] }, PLAIN)).toContain(`01a1e274-2f5d  ${at}`)
  })

  test('says in a row on what it depends, and what of that does not hold yet', () => {
    const dependsOn = [
      { contractId: 'c1', name: 'Login', inForce: true },
      { contractId: 'c2', name: 'Token', inForce: false },
    ]
    expect(render({ contracts: [{ dependsOn }] }, PLAIN)).toContain('\n  Login,Token (not in force)')
  })

  test.each([
    ['nested content', { content: { a: 1 } }, 'content:\n    {\n      "a": 1\n    }'],
    ['long text', { note: 'b '.repeat(30) }, `note: ${'b '.repeat(30)}`],
    ['text of several lines', { note: 'a\nb' }, 'note:\n    a\n    b'],
  ])('is one record below the other where rows have %s', (_what, said, shown) => {
    const packets = [
      { packet_id: 'p1', ...said },
      { packet_id: 'p2', reply_to: 'p1' },
    ]
    expect(render({ packets }, PLAIN)).toBe(
      `packets:\n  packet_id: p1\n  ${shown}\n\n  packet_id: p2\n  reply_to: p1`,
    )
  })

  test('shows code inside of nested content line by line', () => {
    expect(render({ content: { language: 'ts', code: 'a()\n  b()' } }, PLAIN)).toBe(
      'content:\n  language: ts\n  code:\n    a()\n      b()',
    )
  })

  test('never cuts an id: other columns go, and in the end the table', () => {
    const requestId = `${'1'.repeat(36)}:${'2'.repeat(36)}`
    const requests = [{ requestId, format: 'json', at: 'y'.repeat(27) }]
    expect(render({ requests }, { colour: false, width: 90 })).toContain(`\n  ${requestId}  json\n`)
    expect(render({ requests }, { colour: false, width: 70 })).toBe(
      `requests:\n  requestId: ${requestId}\n  format: json\n  at: ${'y'.repeat(27)}`,
    )
  })

  test('leaves out no column that somebody wrote for others to read', () => {
    const rows = [{ id: 'r1', at: 'x'.repeat(20), comment: 'please put it under /api' }]
    expect(render({ rows }, { colour: false, width: 40 })).toContain('comment: please put it under /api')
  })

  test('keeps nested objects as indented JSON, and lists of words on one line', () => {
    expect(render({ content: { a: [1] }, parties: ['x', 'y'], responses: [] }, PLAIN)).toBe(
      'content:\n  {\n    "a": [\n      1\n    ]\n  }\nparties: x, y\nresponses: none',
    )
  })

  test('leaves out the columns that do not fit, and says so', () => {
    const rows = [{ id: 'x'.repeat(10), first: 'y'.repeat(10), second: 'z'.repeat(10) }]
    expect(render({ rows }, { colour: false, width: 30 })).toBe(
      ['rows:', '  id          first', '  xxxxxxxxxx  yyyyyyyyyy', '  (more columns: --json)'].join('\n'),
    )
  })

  test('aligns wide characters and cuts long names', () => {
    const rows = [
      { id: 1, name: '認証', note: 'a' },
      { id: 2, name: 'b'.repeat(50), note: 'c' },
    ]
    expect(render({ rows }, PLAIN)).toBe(
      [
        'rows:',
        `  name${' '.repeat(36)}  id  note`,
        `  認証${' '.repeat(36)}  1   a`,
        `  ${'b'.repeat(39)}…  2   c`,
      ].join('\n'),
    )
  })

  test('colours status words, and only whole ones', () => {
    const painted = render({ status: 'agreed', name: 'agreed on' }, { ...PLAIN, colour: true })
    expect(painted).toContain('\u001b[32magreed\u001b[39m')
    expect(painted).toContain(' agreed on')
    expect(stripVTControlCharacters(painted)).toBe('status: agreed\nname: agreed on')
  })

  test('lets no control character of others reach the terminal', () => {
    const evil = '\u001b[2Jhi\u009b1m\u0007'
    const shown = render({ name: evil, rows: [{ [evil]: evil }], content: { [evil]: evil } }, PLAIN)
    expect(shown).not.toMatch(/[^\P{Cc}\n]/u)
    expect(shown).toContain('\\x1b[2Jhi\\x9b1m\\x07')
  })
})
