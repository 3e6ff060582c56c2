import type { Change } from '../../domain/change.ts'
import type { Project, Repo } from '../../domain/model.ts'
import { handoverOf } from '../../methods/handover.ts'
import { callText } from './conversation.ts'

/** The calls that hand entities over, as text; written once however many peers get it. */
export class HandoverTexts {
  readonly #sourceAgent: string
  /** Values are never changed in place, so a text is good for as long as its value lives. */
  readonly #texts = new WeakMap<object, string>()

  constructor(agentId: string) {
    this.#sourceAgent = `,"source_agent":${JSON.stringify(agentId)}}`
  }

  of(change: Change, project: Project): string {
    const known = this.#texts.get(change.value)
    if (known !== undefined) return known
    const text = this.#write(change, project, [])
    this.#texts.set(change.value, text)
    return text
  }

  /** A project with the repos that it is kept among, which are not part of its value. */
  ofProjectAmong(members: readonly Repo[], change: Change, project: Project): string {
    return this.#write(change, project, members)
  }

  #write(change: Change, project: Project, members: readonly Repo[]): string {
    const { method, params } = handoverOf(change, project, members)
    return callText(method, JSON.stringify(params).slice(0, -1) + this.#sourceAgent)
  }
}
