import { absorbProject } from '../../src/domain/absorb.ts'
import type { Change } from '../../src/domain/change.ts'
import type { Contract, Packet, Project, Repo } from '../../src/domain/model.ts'
import { renderProject } from '../../src/domain/render.ts'
import type { ProjectView, View } from '../../src/domain/view.ts'
import { canonicalText, compareText } from '../../src/protocol/canonical.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Stamp } from '../../src/protocol/stamp.ts'
import { at, EMPTY_VIEW, shelfOf, throughJson, viewOf } from './builders.ts'

/** One daemon's copy of one project, with a clock of its own and without disk or network. */
export class Replica {
  readonly name: string
  readonly repos = new Map<string, Repo>()
  readonly contracts = new Map<string, Contract>()
  readonly packets = new Map<string, Packet>()
  project: Project
  #second: number

  constructor(name: string, { project, second }: { project: Project; second: number }) {
    this.name = name
    this.project = project
    this.#second = second
  }

  get now(): Stamp {
    return at(this.#second)
  }

  wait(seconds: number): void {
    this.#second += seconds
  }

  get view(): ProjectView {
    return viewOf({
      project: this.project,
      repos: this.repos.values(),
      contracts: this.contracts.values(),
      packets: this.packets.values(),
    })
  }

  /** Takes what the other one would send, as it arrives behind a wire; says whether it was news. */
  hear(other: Replica): boolean {
    const wire = throughJson(renderProject(other.view)) as JsonObject
    const { status, changes, refused } = absorbProject(this.#everything(), wire, { now: this.now })
    if (refused.length > 0) throw new Error(`refused: ${canonicalText(refused)}`)
    for (const change of changes) this.apply(change)
    return status !== 'skipped'
  }

  apply(change: Change): void {
    switch (change.kind) {
      case 'project':
        this.project = change.value
        break
      case 'repo':
        this.repos.set(change.id, change.value)
        break
      case 'contract':
        this.contracts.set(change.id, change.value)
        break
      case 'packet':
        this.packets.set(change.id, change.value)
        break
      case 'receipt':
        throw new TypeError('a project brings no receipts')
    }
  }

  get text(): string {
    const sorted = <T>(map: Map<string, T>) => [...map].sort(([a], [b]) => compareText(a, b))
    return canonicalText([this.project, sorted(this.repos), sorted(this.contracts), sorted(this.packets)])
  }

  #everything(): View {
    return {
      ...EMPTY_VIEW,
      projects: shelfOf([this.view], { id: (one) => one.project.project_id, created: () => '' }),
    }
  }
}
