import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readableRow, readableRows } from '../../../src/cli/output/readable-rows.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const FRONTEND = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }
const MOBILE = { 'x-agent-id': 'aid://example.com/mobile@1.0.0' }
const AGO = /^\d+ (?:s|min) ago$/
const EXACT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

let running: TestDaemon
let projectId: string
const ids: Record<string, string> = {}

beforeAll(async () => {
  running = await daemon()
  const repos = ['backend-api', 'frontend-app', 'mobile-app'].map((name) => ({ name }))
  ;({ projectId } = await running.rpc('cacp/project/create', { name: 'Login', objective: 'o', repos }))
  await running.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
  await running.rpc('cacp/project/join', { projectId, repoName: 'mobile-app' }, MOBILE)
  for (const name of ['Profile', 'Avatar', 'Mistake', 'Past']) ids[name] = await proposed(name)
  await answer('Profile', { action: 'request_change', comment: 'under /api' }, FRONTEND)
  await answer('Avatar', { action: 'agree' }, FRONTEND)
  await answer('Avatar', { action: 'agree' }, MOBILE)
  await running.rpc('cacp/contract/withdraw', { projectId, contractId: ids['Mistake'] })
  await answer('Past', { action: 'agree' }, FRONTEND)
  await answer('Past', { action: 'agree' }, MOBILE)
  await running.rpc('cacp/contract/update', { projectId, contractId: ids['Past'], retire: true })
  await answer('Past', { action: 'agree' }, FRONTEND)
  await answer('Past', { action: 'agree' }, MOBILE)
})
afterAll(() => running[Symbol.asyncDispose]())

async function proposed(name: string): Promise<string> {
  const params = { projectId, type: 'custom', name, content: { path: '/me' } }
  return (await running.rpc('cacp/contract/propose', params)).contractId
}

const answer = (name: string, said: object, as: Record<string, string>) =>
  running.rpc('cacp/contract/respond', { projectId, contractId: ids[name], ...said }, as)

const said = async (...words: string[]): Promise<string> => {
  const { exitCode, out, err } = await cacpd(words, { cwd: dirname(running.dataDir) })
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  return out
}

/** The rows of the table below a heading, each by the heads of its columns. */
function tableIn(out: string, heading: string): Record<string, string>[] {
  const lines = out.split('\n')
  const start = lines.indexOf(`${heading}:`) + 1
  const [head = '', ...rows] = lines.slice(start).map((line) => line.trimEnd())
  const places = [...head.matchAll(/\S+(?: \S+)*/g)].map(({ 0: name, index }) => ({ name, index }))
  const end = rows.findIndex((row) => !row.startsWith('  '))
  return rows
    .slice(0, end)
    .map((row) =>
      Object.fromEntries(
        places.map(({ name, index }, at) => [name, row.slice(index, places[at + 1]?.index).trim()]),
      ),
    )
}

describe('the contracts of a project', () => {
  const listed = async (...words: string[]): Promise<Record<string, Record<string, string>>> =>
    Object.fromEntries(
      tableIn(await said('contract', 'list', ...words), 'contracts').map((row) => [row['name'], row]),
    )

  test('are listed with who has answered what, by the names of the repos', async () => {
    const { Profile, Avatar } = await listed()
    expect(Profile).toMatchObject({
      status: 'negotiating',
      marks: 'objection',
      objects: 'frontend-app',
      silent: 'mobile-app',
      agree: 'backend-api',
      inForce: '-',
    })
    expect(Avatar).toMatchObject({
      status: 'agreed',
      marks: '-',
      objects: '-',
      silent: '-',
      inForce: 'yes',
      agree: 'all',
    })
  })

  test('take no more room in a row than a usual terminal or an editor has', async () => {
    for (const line of (await said('contract', 'list', '--include-withdrawn')).split('\n'))
      expect(line.length).toBeLessThanOrEqual(120)
  })

  test('are marked where they were taken back or have ended', async () => {
    const all = await listed('--include-withdrawn')
    expect(all['Mistake']).toMatchObject({ marks: 'withdrawn', agree: 'backend-api' })
    expect(all['Past']?.['marks']).toBe('retired')
    expect(await said('contract', 'list')).not.toContain('Mistake')
  })

  test('are named by ids that are short, and that every command takes', async () => {
    const rows = Object.values(await listed('--include-withdrawn'))
    expect(rows).toHaveLength(4)
    for (const { name = '', contractId = '' } of rows) {
      expect(contractId.length).toBeLessThan(36)
      expect(ids[name]?.startsWith(contractId)).toBe(true)
      expect(await said('contract', 'get', '--contract-id', contractId)).toContain(`name: ${name}\n`)
      expect(await said('contract', 'history', contractId)).toContain('version 1 by backend-api, ')
    }
    const { Avatar } = await listed()
    const words = ['--contract-id', Avatar?.['contractId'] ?? '', '--plan', 'a route']
    expect(await said('implementation', 'start', ...words)).toContain('yours: started')
  })

  test('have times as how long ago, or exactly where that is asked for', async () => {
    expect((await listed())['Profile']?.['updatedAt']).toMatch(AGO)
    expect((await listed('--times', 'ago'))['Profile']?.['updatedAt']).toMatch(AGO)
    expect((await listed('--times', 'iso'))['Profile']?.['updatedAt']).toMatch(EXACT)
  })

  test('are a table on a terminal of the usual width, with what matters most', async () => {
    const { out } = await cacpd(['contract', 'list'], { cwd: dirname(running.dataDir), width: 80 })
    const [, head = '', ...rows] = out.trimEnd().split('\n')
    expect(head.trim().split(/ +/)).toEqual([
      ...['contractId', 'name', 'status', 'marks', 'objects', 'silent'],
    ])
    expect(rows.at(-1)).toBe('  (more columns: --json)')
  })

  test('are for programs what they were', async () => {
    const { contracts } = JSON.parse(await said('contract', 'list', '--json'))
    expect(contracts).toMatchObject([
      { contractId: ids['Profile'], proposedBy: expect.stringMatching(/^[\da-f-]{36}$/) },
      { contractId: ids['Avatar'], updatedAt: expect.stringMatching(EXACT) },
      { contractId: ids['Past'] },
    ])
    expect(contracts).toEqual((await running.rpc('cacp/contract/list', { projectId })).contracts)
  })
})

test('one contract says who it is about by name, keeps its own id whole, and has both times', async () => {
  const out = await said('contract', 'get', '--contract-id', 'Profile')
  expect(out).toMatch(/^proposed_by: backend-api$/m)
  expect(out).toMatch(/^parties: (?:(?:backend-api|frontend-app|mobile-app)(?:, |$)){3}$/m)
  expect(out).toMatch(/^agree: backend-api\nobjects: frontend-app\nsilent: mobile-app$/m)
  expect(out).toContain(`contract_id: ${ids['Profile']}\n`)
  expect(out).toMatch(/^updated_at: \d{4}\S+Z \(\d+ s ago\)$/m)
  expect(tableIn(out, 'responses')).toMatchObject([
    { repo: 'frontend-app', action: 'request_change', timestamp: expect.stringMatching(AGO) },
  ])
  const exact = await said('contract', 'get', '--contract-id', 'Profile', '--times', 'iso')
  expect(exact).toMatch(/^updated_at: \d{4}\S+Z$/m)
})

test('a project shows its repos by name, and its contracts as a list of them does', async () => {
  const out = await said('project', 'get')
  expect(out).toContain(`project_id: ${projectId}\n`)
  expect(tableIn(out, 'repos').map(({ name }) => name)).toEqual(['backend-api', 'frontend-app', 'mobile-app'])
  expect(out).not.toMatch(/repo_id|repos:\n.*\b[\da-f]{8}-[\da-f]{4}-8/)
  expect(tableIn(out, 'contracts')[0]).toMatchObject({
    name: 'Profile',
    marks: 'objection',
    objects: 'frontend-app',
    agree: 'backend-api',
  })
})

test('projects are listed with short ids and how long ago, and archived ones are marked, with who did it', async () => {
  const { projectId: old } = await running.rpc('cacp/project/create', { name: 'Old', objective: 'o' })
  await running.rpc('cacp/project/archive', { projectId: old, archived: true })
  const rows = tableIn(await said('project', 'list', '--include-archived'), 'projects')
  expect(rows).toMatchObject([
    { name: 'Login', marks: '-', createdAt: expect.stringMatching(AGO) },
    { name: 'Old', marks: 'archived' },
  ])
  for (const { name, projectId: short = '' } of rows)
    expect(await said('project', 'get', '--project-id', short)).toContain(`name: ${name}\n`)
  const shown = await said('project', 'get', 'Old')
  expect(shown).toContain('archived_by: backend-api (aid://example.com/backend@1.0.0)\n')
  expect(shown).toMatch(/^archived_at: \S+Z \(\d+ s ago\)$/m)
})

test('context is from repos by name, and its packets can be named by their short ids', async () => {
  const question = { projectId, question: 'JWT or cookies?' }
  const { packetId } = await running.rpc('cacp/context/askQuestion', question, FRONTEND)
  const out = await said('context', 'list')
  const [, short = ''] = /packet_id: (\S+)/.exec(out) ?? []
  expect(packetId.startsWith(short) && short.length < packetId.length).toBe(true)
  expect(out).toMatch(/^ {2}from_repo: frontend-app$/m)
  expect(out).toMatch(/^ {2}timestamp: \d+ s ago$/m)
  expect(out).toMatch(/^ {2}delivery: (?:(?:backend-api|mobile-app) replicated(?:, |$)){2}/m)
  expect(out).not.toMatch(/^delivery:/m)
  expect(await said('context', 'get-thread', '--packet-id', short)).toContain('JWT or cookies?')
})

test('whoever asks for a file is told by name', async () => {
  await running.rpc('cacp/file/request', { projectId, description: 'the logo' }, MOBILE)
  expect(tableIn(await said('file', 'list-requests', '--project-id', 'Login'), 'requests')).toMatchObject([
    { description: 'the logo', requestedBy: 'mobile-app' },
  ])
})

test('work on a contract is told by the names of the repos', async () => {
  const out = await said('implementation', 'get-status', '--contract-id', 'Avatar')
  expect(tableIn(out, 'implementations')).toMatchObject([
    { repo: 'backend-api', status: 'in_progress', startedAt: expect.stringMatching(AGO) },
  ])
})

test('those who have not begun to work on a contract are told by their names', async () => {
  const out = await said('implementation', 'get-status', '--contract-id', 'Profile')
  expect(out).toContain('implementations: none\n')
  expect(out).toMatch(/^waitingFor: (?:(?:backend-api|frontend-app|mobile-app)(?:, |$)){3}$/m)
})

test('what is to be done can be named by the short id that is shown', async () => {
  const asFrontend = ['--agent-id', FRONTEND['x-agent-id']]
  const out = await said('inbox', ...asFrontend)
  const [, short = ''] =
    /^answer_contract Profile[\s\S]*? in Login, since \d+ s ago, of low urgency, (\S+)$/m.exec(out) ?? []
  expect(short.length).toBeLessThan(36)
  expect(await said('inbox', 'ack', short, ...asFrontend)).toContain(ids['Profile'])
})

test('a contract that was taken back says so at once, and nobody is waited for', () => {
  const contract = {
    status: 'proposed',
    proposed_by: 'a',
    head: { needed: ['a', 'b'] },
    objections: [],
    unanswered: ['b'],
    withdrawn: true,
  }
  expect(readableRow(contract, {})).toMatchObject({ status: 'proposed, withdrawn', silent: [] })
})

test('who takes a contract back reads that it is withdrawn, and nothing that the answer does not say', () => {
  expect(readableRow({ contractId: 'c', withdrawn: true }, {})).toEqual({ contractId: 'c', withdrawn: true })
})

test('what is in force stands beside what is proposed', () => {
  const inForce = { version: 1, status: 'verified', content: { v: 1 } }
  expect(readableRow({ contract_id: 'c-1', content: { v: 2 }, inForce }, {})).toMatchObject({
    inForce: expect.stringMatching(/^version 1, verified; `cacpd contract diff c-1` shows/),
    contentInForce: { v: 1 },
  })
})

test('a failure and a proposed end are marked in a list', () => {
  const [row] = readableRows([{ name: 'Login', failed: true, endProposed: true }], {})
  expect(row).toEqual({ name: 'Login', marks: ['failure', 'end proposed'] })
})

test('the feed is a table of what changed, without the JSON of it', async () => {
  const out = await said('feed', 'read')
  expect(out).not.toContain('{')
  const rows = tableIn(out, 'events')
  expect(rows).toContainEqual(expect.objectContaining({ kind: 'contract', name: 'Avatar', status: 'agreed' }))
  expect(rows).toContainEqual(expect.objectContaining({ kind: 'repo', name: 'mobile-app' }))
  expect(out).toMatch(/^cursor: \S+$/m)
})
