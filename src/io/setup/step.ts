import { rm } from 'node:fs/promises'
import type { PlannedFile } from '../../setup/files.ts'
import type { Plan } from '../../setup/plan.ts'
import { whyNot } from './place.ts'
import { makeDataFolder } from './record-file.ts'
import { writeText } from './write-text.ts'

/** What was done to one file, or would be. */
export interface Step {
  readonly path: string
  readonly purpose: string
  readonly did: Exclude<Plan['did'], 'nothing'>
  /** Why it was left alone; the sentence continues the path. */
  readonly why?: string
  /** What would have to be added, or removed, by hand. */
  readonly paste?: string
  readonly lines?: string
}

export const isLeft = ({ did }: Step): boolean => did === 'left'

/** Tells what a plan is about to do; none where that is nothing. */
export function stepOf({ path, purpose, paste }: PlannedFile, { did, ...plan }: Plan): Step[] {
  if (did === 'nothing') return []
  const step = { path, purpose, did }
  if ('why' in plan) return [{ ...step, why: plan.why, paste }]
  return ['lines' in plan ? { ...step, lines: plan.lines } : step]
}

/** Carries a plan out, and tells what was done. */
export async function takeStep(
  file: PlannedFile,
  plan: Plan,
  { root, target }: { readonly root: string; readonly target: string },
): Promise<Step[]> {
  try {
    if (plan.did === 'removed') await rm(target)
    if ('text' in plan) {
      await makeDataFolder(root)
      await writeText(root, target, plan.text)
    }
    return stepOf(file, plan)
  } catch (error) {
    return stepOf(file, { did: 'left', why: whyNot(error) })
  }
}
