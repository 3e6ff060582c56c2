import { placeKeyOf } from '../../../domain/statements/kinds.ts'
import { hasLostContent, type Statement } from '../../../domain/statements/statement.ts'
import type { View } from '../../../domain/view.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import type { StatementLog } from './statement-log.ts'

/** Hex digits of a digest: enough that two different sets never meet by chance. */
const DIGITS = 32

/** Statements that are taken in before others get their turn. */
const SLICE = 2000

/** Of a statement that is kept: its id, and whether its content was taken away, which makes it another one here. */
export type Form = string

/** What is kept of every project, as ids, and all of them in one digest. Made when somebody compares. */
export class Digests {
  readonly #log: StatementLog
  readonly #view: Pick<View, 'projects'>
  readonly #pause: () => Promise<void>
  /** By project, then by the place that a statement is kept in; in the order of the log. */
  readonly #projects = new Map<string, Map<string, Form>>()
  readonly #totals = new Map<string, bigint>()
  /** By project, how many changes of contents were looked at. */
  readonly #changes = new Map<string, number>()
  #seq = 0
  #drops = 0
  #catchingUp: Promise<void> | undefined

  /** `pause` lets others have their turn while very many statements are taken in. */
  constructor(log: StatementLog, view: Pick<View, 'projects'>, pause: () => Promise<void>) {
    this.#log = log
    this.#view = view
    this.#pause = pause
  }

  /** The projects that have anything, each with its digest, up to the present state of the log. */
  async totals(): Promise<ReadonlyMap<string, { digest: string; count: number }>> {
    await this.#catchUp()
    return new Map(
      Array.from(this.#totals, ([id, total]) => [
        id,
        { digest: toHex(total), count: this.#formsOf(id).size },
      ]),
    )
  }

  /** All that is kept of a project; each comes after what it cites. One that is not here has nothing. */
  async forms(projectId: string): Promise<Iterable<Form>> {
    await this.#catchUp()
    return this.#projects.get(projectId)?.values() ?? []
  }

  async #catchUp(): Promise<void> {
    for (const upTo = this.#log.seq; this.#seq < upTo; ) {
      this.#catchingUp ??= this.#follow().finally(() => {
        this.#catchingUp = undefined
      })
      await this.#catchingUp
    }
  }

  async #follow(): Promise<void> {
    const upTo = this.#log.seq
    if (this.#log.drops > this.#drops) this.#beginAnew()
    let taken = 0
    for (const { seq, statement } of this.#log.after(this.#seq)) {
      if (seq > upTo) break
      this.#put(statement)
      this.#putChanged(statement.project_id)
      this.#seq = seq
      if (++taken % SLICE === 0) await this.#pause()
    }
    this.#seq = upTo
  }

  #beginAnew(): void {
    this.#drops = this.#log.drops
    this.#projects.clear()
    this.#totals.clear()
    this.#changes.clear()
    this.#seq = 0
  }

  #put(statement: Statement): void {
    const { project_id } = statement
    const forms = this.#formsOf(project_id)
    const place = placeKeyOf(statement)
    const before = forms.get(place)
    const after = formOf(statement)
    forms.set(place, after)
    const known = this.#totals.get(project_id) ?? 0n
    this.#totals.set(project_id, known ^ (before === undefined ? 0n : weightOf(before)) ^ weightOf(after))
  }

  /** What lost its content, or got it back, since this was last looked at is another one here. */
  #putChanged(projectId: string): void {
    const said = this.#view.projects.get(projectId)?.said
    if (said === undefined) return
    const { contentChanges } = said
    for (let next = this.#changes.get(projectId) ?? 0; next < contentChanges.length; next++) {
      const changed = said.fact(contentChanges[next] ?? '')
      if (changed !== undefined && this.#formsOf(projectId).has(changed.id)) this.#put(changed)
    }
    this.#changes.set(projectId, contentChanges.length)
  }

  #formsOf(projectId: string): Map<string, Form> {
    return getOrAdd(this.#projects, projectId, () => new Map())
  }
}

const BARE = ' bare'

export const formOf = (statement: Statement): Form =>
  hasLostContent(statement) ? statement.id + BARE : statement.id

/** Of a text in canonical form, which may not have been read yet. */
export const formOfText = (id: string, text: string): Form =>
  text.includes('"content_hash":"') && !text.includes('"content":{"salt":"') ? id + BARE : id

export const idOfForm = (form: Form): string => (form.endsWith(BARE) ? form.slice(0, -BARE.length) : form)

/** An id is a hash with digits for two forms. */
const weightOf = (form: Form): bigint =>
  BigInt(`0x${form.endsWith(BARE) ? form.slice(DIGITS, 2 * DIGITS) : form.slice(0, DIGITS)}`)

const toHex = (total: bigint): string => total.toString(16).padStart(DIGITS, '0')

/** The digest of each bucket, when the statements are dealt into so many by their ids. */
export async function bucketDigests(
  forms: Iterable<Form>,
  count: number,
  pause: () => Promise<void>,
): Promise<string[]> {
  const totals = Array.from({ length: count }, () => 0n)
  let dealt = 0
  for (const form of forms) {
    const bucket = bucketOf(form, count)
    totals[bucket] = (totals[bucket] ?? 0n) ^ weightOf(form)
    if (++dealt % (10 * SLICE) === 0) await pause()
  }
  return totals.map(toHex)
}

/** With or without its content it is in the same one. */
export const bucketOf = (form: Form, count: number): number => Number.parseInt(form.slice(56, 64), 16) % count
