import { expect, test, vi } from 'vitest'
import { title as titleKind } from '../../../src/domain/statements/title.ts'
import type { View } from '../../../src/domain/view.ts'
import { ProjectStatements } from '../../../src/domain/views/project-statements.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'
import { stampAt, TestProject } from './entities.ts'
import { close, keep, openOn } from './opened.ts'

const projectsCalled = (view: View, name: string) =>
  Array.from(view.projectsCalled(name), ({ project }) => project.project_id)
const contractsCalled = (view: View, project: TestProject, name: string) =>
  Array.from(view.projects.get(project.id)?.contractsCalled(name) ?? [], (one) => one.contract_id)

const questionsCalled = (view: View, project: TestProject, name: string) =>
  Array.from(view.projects.get(project.id)?.questionsCalled(name) ?? [], (one) => one.packet_id)

test('what goes by a name is found, after a restart too, and a name that was changed is no more', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const [p, q] = [new TestProject('p'), new TestProject('q')]
  await keep(store, ...p.opening, ...q.opening)
  const [first, second] = [p.contract('Login'), p.contract('Logout')]
  const asked = p.packet('asked', { type: 'question', content: { question: 'JWT or cookies?' } })
  await keep(store, first, second, asked)
  await keep(
    store,
    q.say(titleKind, '', { about: q.id, at: stampAt(5), body: { field: 'name', value: 'p' } }),
  )
  const check = (view: View) => {
    expect(projectsCalled(view, 'p').sort()).toEqual([p.id, q.id].sort())
    expect(projectsCalled(view, 'q')).toEqual([])
    expect(contractsCalled(view, p, 'Login')).toEqual([first.about])
    expect(contractsCalled(view, q, 'Login')).toEqual([])
    expect(questionsCalled(view, p, 'JWT or cookies?')).toEqual([asked.about])
    expect(questionsCalled(view, q, 'JWT or cookies?')).toEqual([])
  }
  check(store.view)
  await close(store)
  for (const compactBytes of [1e9, 1, 1]) {
    const { store: again } = await openOn(disk, { compactBytes })
    check(again.view)
    await close(again)
  }
})

test('what could not be written goes by no name', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const [p, q] = [new TestProject('p'), new TestProject('q')]
  const kept = p.contract('Login')
  await keep(store, ...p.opening, kept)
  disk.fail('append')
  await expect(keep(store, ...q.opening, p.contract('Logout'))).rejects.toThrow()
  expect(projectsCalled(store.view, 'q')).toEqual([])
  expect(contractsCalled(store.view, p, 'Logout')).toEqual([])
  expect(contractsCalled(store.view, p, 'Login')).toEqual([kept.about])
  await close(store)
})

test('whoever looks for a name, or for the beginning of an id, has nothing else put together', async () => {
  const { store } = await openOn(new SimulatedDisk())
  const p = new TestProject('p')
  const all = Array.from({ length: 50 }, (_, index) => p.contract(`c${index}`, { second: 100 * index }))
  await keep(store, ...p.opening, ...all)
  const { contracts } = store.view.projects.get(p.id) ?? expect.fail('there is the project')
  const folded = vi.spyOn(ProjectStatements.prototype, 'contract')
  expect(contractsCalled(store.view, p, 'c7')).toEqual([all[7]?.about])
  const prefix = all[9]?.about.slice(0, 13) ?? ''
  expect([...contracts.beginningWith(prefix)].map(({ name }) => name)).toEqual(['c9'])
  expect(folded).toHaveBeenCalledTimes(2)
  folded.mockRestore()
  await close(store)
})
