import { describe, expect, test } from 'vitest'
import { absorbProject } from '../../src/domain/absorb.ts'
import { mergeProject } from '../../src/domain/merge.ts'
import type { Contract } from '../../src/domain/model.ts'
import { projectStatus, updatedAt } from '../../src/domain/project.ts'
import type { ProjectStatus } from '../../src/protocol/words.ts'
import {
  agreed,
  at,
  BACKEND,
  EMPTY_VIEW,
  implemented,
  packet,
  project,
  proposed,
  repo,
  shelfOf,
  start,
  verified,
  viewOf,
} from './builders.ts'

describe('the status of a project follows from its contracts', () => {
  test.each<[string, Contract[], ProjectStatus]>([
    ['nothing', [], 'planning'],
    ['only proposals', [proposed()], 'planning'],
    ['an agreement that nobody works on', [agreed()], 'planning'],
    ['an implementation that has started', [start(agreed(), BACKEND, at(2))], 'implementing'],
    [
      'some contracts implemented and some not',
      [implemented(), { ...agreed(), contract_id: 'c2' }],
      'implementing',
    ],
    ['every contract implemented', [implemented()], 'integrating'],
    [
      'every contract implemented or verified',
      [implemented(), { ...verified(), contract_id: 'c2' }],
      'integrating',
    ],
    ['every contract verified', [verified()], 'complete'],
    [
      'a new proposal beside verified ones',
      [verified(), { ...proposed(), contract_id: 'c2' }],
      'implementing',
    ],
  ])('with %s', (_what, contracts, status) => {
    expect(projectStatus(viewOf({ contracts }))).toBe(status)
  })

  test('is found once for every state, however many wait for it', () => {
    const view = viewOf({ contracts: [verified()] })
    let looks = 0
    const oldestFirst = () => {
      looks++
      return view.contracts.oldestFirst()
    }
    const contracts = { ...view.contracts, oldestFirst }
    const found = { ...view, contracts }
    expect([projectStatus(found), projectStatus(found)]).toEqual(['complete', 'complete'])
    expect(looks).toBe(1)
    expect(projectStatus({ ...found, contracts: viewOf({ contracts: [proposed()] }).contracts })).toBe(
      'planning',
    )
  })
})

describe('updated_at is the newest stamp inside', () => {
  const described = repo()
  test.each([
    ['its own registers', viewOf({ project: project({ name: { value: 'New', at: at(9) } }) })],
    ['a repo', viewOf({ repos: [{ ...described, about: { ...described.about, at: at(9) } }] })],
    [
      'a released claim',
      viewOf({
        repos: [
          repo({
            claims: [
              { agent_id: 'a', claimed_at: at(1), released_at: at(9), endpoint: { value: null, at: at(1) } },
            ],
          }),
        ],
      }),
    ],
    ['a contract', viewOf({ contracts: [start(agreed(), BACKEND, at(9))] })],
    ['a packet', viewOf({ packets: [packet({ timestamp: at(9) })] })],
    ['a redaction', viewOf({ packets: [packet({ redacted: { by: 'a', at: at(9), reason: '' } })] })],
  ])('when it is that of %s', (_what, found) => {
    expect(updatedAt(found)).toBe(at(9))
  })

  test('and the creation when nothing happened since', () => {
    expect(updatedAt(viewOf())).toBe(at(0))
  })
})

describe('two copies of a project', () => {
  test('keep the newest value of each register, from whichever side', () => {
    const left = project({ name: { value: 'Newer', at: at(5) } })
    const right = project({ objective: { value: 'sign up', at: at(6) }, name: { value: 'Older', at: at(4) } })
    expect(mergeProject(left, right).value).toMatchObject({
      name: { value: 'Newer' },
      objective: { value: 'sign up' },
    })
  })

  test('stay among members when either side says so', () => {
    expect(mergeProject(project(), project({ visibility: 'members' })).value.visibility).toBe('members')
    expect(mergeProject(project({ visibility: 'members' }), project()).value.visibility).toBe('members')
  })

  test('keep the author that only one of them knows', () => {
    const known = project()
    const unknown = project({ created_by: '' })
    expect(mergeProject(unknown, known).value.created_by).toBe(known.created_by)
    expect(mergeProject(known, unknown).changed).toBe(false)
  })
})

describe('a project that a peer sends', () => {
  const doc = (given: object) => ({
    project_id: 'p1',
    name: 'Auth',
    objective: 'log in',
    created_at: '2026-01-01T00:00:00',
    updated_at: '2026-01-01T00:00:05',
    ...given,
  })
  const here = viewOf({ repos: [repo()], contracts: [agreed()], packets: [packet()] })
  const view = {
    ...EMPTY_VIEW,
    projects: shelfOf([here], {
      id: (one) => one.project.project_id,
      created: (one) => one.project.created_at,
    }),
  }

  test('newer and with empty lists takes nothing away', () => {
    const { changes, refused } = absorbProject(
      view,
      doc({ name: 'Renamed', repos: [], contracts: [], context_history: [] }),
      { now: at(10) },
    )
    expect(changes.map((change) => change.kind)).toEqual(['project'])
    expect(refused).toEqual([])
  })

  test('with one bad part loses only that part, and says which', () => {
    const bad = { packet_id: '../x', from_repo: 'r', timestamp: '2026-01-01', type: 'question', content: {} }
    const good = { ...bad, packet_id: 'k2', timestamp: '2026-01-01T00:00:01' }
    const { changes, refused } = absorbProject(view, doc({ context_history: [bad, good] }), { now: at(10) })
    expect(changes.map((change) => change.id)).toContain('k2')
    expect(refused).toMatchObject([{ kind: 'packet', id: '../x' }])
  })

  test('with a contract that names no parties does not add parties to the one we hold', () => {
    const wire = {
      contract_id: 'c1',
      type: 'api_endpoint',
      name: 'Me',
      version: 1,
      status: 'agreed',
      content: { path: '/me' },
      proposed_by: BACKEND,
      created_at: '2026-01-01T00:00:00',
      updated_at: '2026-01-01T00:00:07',
    }
    const third = { repo_id: 'repo-third', name: 'third' }
    const { changes } = absorbProject(view, doc({ repos: [third], contracts: [wire] }), { now: at(10) })
    const contract = changes.find((change) => change.kind === 'contract')
    expect(contract?.value).toMatchObject({ parties: agreed().parties })
  })
})
