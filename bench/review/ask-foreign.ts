import type { ChildProcess } from 'node:child_process'
import type { Verdict } from '../../src/domain/interface/model.ts'
import { answerOf, type Workshop } from '../workshop.ts'
import type { Said } from './foreign-judge.ts'
import type { Given, ToolName } from './tools.ts'

/** What a judge may take for one pair. */
const LONGEST_MS = 10_000

/** Asks a judge in a process of its own, and begins another process where it did not answer. */
export class ForeignJudge {
  readonly #workshop: Workshop
  readonly #tool: ToolName
  #child: ChildProcess | undefined

  constructor(workshop: Workshop, tool: ToolName) {
    this.#workshop = workshop
    this.#tool = tool
  }

  /** Null where it failed, ended or took too long. */
  async ask(given: Given): Promise<Verdict | null> {
    const child = this.#child ?? (await this.#begin())
    this.#child = child
    const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
    try {
      const answer = answerOf<Said>(child, this.#tool)
      child.send(given)
      const said = await answer
      return 'verdict' in said ? said.verdict : null
    } catch {
      this.#child = undefined
      return null
    } finally {
      clearTimeout(late)
    }
  }

  end(): void {
    this.#child?.kill()
  }

  async #begin(): Promise<ChildProcess> {
    const child = this.#workshop.fork('review/foreign-judge.ts', this.#tool)
    await answerOf(child, this.#tool)
    return child
  }
}
