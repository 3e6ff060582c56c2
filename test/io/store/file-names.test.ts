import { expect, test } from 'vitest'
import { packetChange, projectChange } from '../../../src/domain/change.ts'
import { isNamed, namingsIn } from '../../../src/domain/shared-file.ts'
import type { View } from '../../../src/domain/view.ts'
import { openStore } from '../../../src/io/store/open-store.ts'
import { ManualClock } from '../../support/desk.ts'
import { SimulatedDisk } from '../../support/simulated-disk.ts'
import { packet, project } from './entities.ts'
import { keep } from './opened.ts'

const [SHA, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)]
const CALLER = { kind: 'peer' as const, agentId: 'aid://example.com/frontend@1.0.0', repoName: 'frontend' }
const naming = (id: string, sha256: string) => packet(id, { content: { file: { sha256 } } })

const open = (disk = new SimulatedDisk()) => openStore({ directory: '/data', clock: new ManualClock(), disk })
const projectsNaming = (view: View, sha256: string) =>
  Array.from(view.projectsNaming(sha256), (found) => found.project.project_id)

test('the projects that name a file are found, also after a restart and when a packet names another one', async () => {
  const disk = new SimulatedDisk()
  const { store } = await open(disk)
  await keep(store, ...['p', 'q', 'r'].map((id) => projectChange(project(id))))
  await keep(
    store,
    packetChange('p', naming('k', SHA)),
    packetChange('p', naming('l', SHA)),
    packetChange('q', naming('k', SHA)),
  )
  expect(projectsNaming(store.view, SHA)).toEqual(['p', 'q'])
  await keep(store, packetChange('p', naming('k', OTHER)), packetChange('q', naming('k', OTHER)))
  expect(projectsNaming(store.view, SHA)).toEqual(['p'])
  await store[Symbol.asyncDispose]()

  const { store: again } = await open(disk)
  expect(projectsNaming(again.view, SHA)).toEqual(['p'])
  expect(projectsNaming(again.view, OTHER).sort()).toEqual(['p', 'q'])
  await again[Symbol.asyncDispose]()
})

test('whether a file is named is known without looking through the projects', async () => {
  const { store } = await open()
  await keep(store, projectChange(project('p')), packetChange('p', naming('k', SHA)))
  const { projects } = store.view
  const view: View = {
    ...store.view,
    projects: {
      size: projects.size,
      get: (id) => projects.get(id),
      oldestFirst: () => expect.fail('all projects are looked through'),
      newestFirst: () => expect.fail('all projects are looked through'),
    },
  }
  expect([isNamed(view, SHA), isNamed(view, OTHER)]).toEqual([true, false])
  const noted = namingsIn(view, [packetChange('p', naming('l', OTHER))], CALLER)
  expect(noted).toMatchObject([{ table: 'naming', value: { is_doubted: false } }])
  await store[Symbol.asyncDispose]()
})
