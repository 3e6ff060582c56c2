import { readdirSync, readFileSync } from 'node:fs'
import type { Verdict } from '../../src/domain/interface/model.ts'
import type { JsonObject } from '../../src/protocol/json/json.ts'

/** Two contents and what a careful person says of going from one to the other, for consumers that stay as they are. */
export interface Pair {
  readonly form: string
  readonly name: string
  /** The type of the contract. */
  readonly type: string
  readonly verdict: Verdict
  readonly why: string
  readonly before: JsonObject
  readonly after: JsonObject
}

const FOLDER = new URL('./corpus/', import.meta.url)

/** All pairs: a file for each form, a line for each pair. */
export const corpus = (): readonly Pair[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .flatMap((file) =>
      readFileSync(new URL(file, FOLDER), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => ({ form: file.replace('.jsonl', ''), ...(JSON.parse(line) as Omit<Pair, 'form'>) })),
    )
