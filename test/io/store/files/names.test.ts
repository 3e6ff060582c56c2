import { expect, test } from 'vitest'
import { isNamed } from '../../../../src/domain/files/shared-file.ts'
import type { View } from '../../../../src/domain/view.ts'
import { SimulatedDisk } from '../../../support/simulated/disk.ts'
import { TestProject } from '../entities.ts'
import { close, keep, openOn } from '../opened.ts'

const [SHA, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)]
const [p, q, r] = ['p', 'q', 'r'].map((name) => new TestProject(name)) as [
  TestProject,
  TestProject,
  TestProject,
]

const naming = (project: TestProject, name: string, sha256: string) =>
  project.packet(name, { content: { file: { sha256 } } })
const projectsNaming = (view: View, sha256: string) =>
  Array.from(view.projectsNaming(sha256), (found) => found.project.name).sort()

test('the projects that name a file are found, also after a restart and when a packet was redacted', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  await keep(store, ...p.opening, ...q.opening, ...r.opening)
  const [first, other] = [naming(p, 'k', SHA), naming(q, 'k', SHA)]
  await keep(store, first, naming(p, 'l', SHA), other, naming(r, 'k', OTHER))
  expect(projectsNaming(store.view, SHA)).toEqual(['p', 'q'])
  await keep(store, p.redact(first), q.redact(other))
  expect(projectsNaming(store.view, SHA)).toEqual(['p'])
  await close(store)

  for (const compactBytes of [1e9, 1, 1]) {
    const { store: again } = await openOn(disk, { compactBytes })
    expect(projectsNaming(again.view, SHA)).toEqual(['p'])
    expect(projectsNaming(again.view, OTHER)).toEqual(['r'])
    await close(again)
  }
})

test('whether a file is named is known without looking through the projects', async () => {
  const { store } = await openOn(new SimulatedDisk())
  await keep(store, ...p.opening, naming(p, 'k', SHA))
  const { projects } = store.view
  const view: View = {
    ...store.view,
    projects: {
      size: projects.size,
      get: (id) => projects.get(id),
      oldestFirst: () => expect.fail('all projects are looked through'),
      newestFirst: () => expect.fail('all projects are looked through'),
      beginningWith: () => expect.fail('all projects are looked through'),
    },
  }
  expect([isNamed(view, SHA), isNamed(view, OTHER)]).toEqual([true, false])
  await close(store)
})
