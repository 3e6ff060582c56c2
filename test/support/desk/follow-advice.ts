import { expect } from 'vitest'
import { METHODS } from '../../../src/methods/table.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import type { NextCall } from '../../../src/protocol/next-call.ts'
import { ACTORS, type Actor, callAs, MEMBERS, type Scene } from './contract-states.ts'

/** Takes what a refusal or an inbox says word for word. */

export interface Refusal extends Error {
  readonly kind: string
  readonly next?: string
  readonly data: { readonly call?: NextCall }
}

export type Wanted = Pick<NextCall, 'method' | 'params'>

/** More steps than this lead nowhere. */
const MOST_STEPS = 5
const MOST_ITEMS = 60

/** What somebody who is asked to write something writes; what there is to decide stays as it is shown. */
const WRITTEN: JsonObject = {
  content: { v: 42 },
  question: 'May I?',
  files: ['src/login.ts'],
  name: 'watch-app',
  chosen: 'JWT',
  rationale: 'It is simpler',
  evidence: [{ kind: 'run', command: 'npm run e2e', exitCode: 0 }],
}

/** The call as it is given, with what it leaves to the caller. */
export function filledIn({ method, params, fill = [] }: NextCall): JsonObject {
  expect(METHODS.map(({ name }) => name as string)).toContain(method)
  for (const key of fill) expect(params).toHaveProperty(key)
  const own = Object.fromEntries(fill.filter((key) => key in WRITTEN).map((key) => [key, WRITTEN[key]]))
  const filled = { ...params, ...own } as JsonObject
  expect(JSON.stringify(filled), `${method} has gaps that it does not mark`).not.toContain('…')
  return filled
}

/**
 * Does what a refusal advises, until what was refused succeeds, or others have got something to do about it. What has
 * to be waited for the others do as their inboxes say.
 */
export async function followToTheEnd(scene: Scene, actor: Actor, wanted: Wanted): Promise<void> {
  const trail: string[] = []
  for (;;) {
    const refused = await refusalOf(scene, actor, wanted)
    if (refused === undefined) return
    const { call } = refused.data
    trail.push(`${refused.message} → ${refused.next} ${JSON.stringify(call)}`)
    const told = trail.join('\n')
    if (call === undefined) throw new Error(`no call is advised:\n${told}`)
    expect(refused.next, told).toContain(call.method)
    expect(new Set(trail).size, `it leads in a circle:\n${told}`).toBe(trail.length)
    expect(trail.length, told).toBeLessThanOrEqual(MOST_STEPS)
    const before = await itemsOfOthers(scene, actor)
    const answered = callAs(scene, actor, call.method, filledIn(call))
    if (call.method === 'cacp/wait') {
      await doWhatIsDue(scene, { except: actor })
      const now = { ...call.params, timeoutSeconds: 1 }
      expect(await callAs(scene, actor, call.method, now), told).toMatchObject({ met: true })
      await answered
      continue
    }
    await expect(answered, told).resolves.toBeDefined()
    // The same with other words, or a look at what to name instead.
    const isRead = METHODS.find(({ name }) => name === call.method)?.access === 'read'
    if (call.method === wanted.method || isRead) return
    const after = await itemsOfOthers(scene, actor)
    const isHandedOver = after.some((one) => !before.includes(one))
    if (isHandedOver) return
  }
}

export const refusalOf = (
  scene: Scene,
  actor: Actor,
  { method, params }: Wanted,
): Promise<Refusal | undefined> =>
  callAs(scene, actor, method, params).then(
    () => undefined,
    (thrown: Refusal) => thrown,
  )

/** Every item of every inbox, each done as it says, until there is none; whoever only waits is left waiting. */
export async function doWhatIsDue(scene: Scene, { except }: { except?: Actor } = {}): Promise<void> {
  const done: string[] = []
  const isAsked = (actor: Actor) => actor !== except
  for (;;) {
    const due = (await Promise.all(MEMBERS.filter(isAsked).map((actor) => itemsOf(scene, actor)))).flat()
    const one = due.find(({ item }) => item.next.method !== 'cacp/wait')
    if (one === undefined) return
    const { actor, item } = one
    done.push(`${actor}: ${item.kind}`)
    if (done.length > MOST_ITEMS) throw new Error(`it goes on and on:\n${done.join('\n')}`)
    await callAs(scene, actor, item.next.method, filledIn(item.next))
    const left = (await itemsOf(scene, actor)).map(({ key }) => key)
    expect(left, `${actor} has done ${item.kind}`).not.toContain(one.key)
  }
}

async function itemsOf(scene: Scene, actor: Actor) {
  const { items } = await scene.as[actor]('cacp/inbox/list', {})
  return items.map((item) => ({ actor, item: item as typeof item & { next: NextCall }, key: keyOf(item) }))
}

const keyOf = ({ id, state }: { id: string; state: string }): string => `${id} ${state}`

async function itemsOfOthers(scene: Scene, actor: Actor): Promise<string[]> {
  const others = ACTORS.filter((one) => one !== actor)
  const all = await Promise.all(others.map((one) => itemsOf(scene, one)))
  return all.flat().map((one) => `${one.actor} ${one.key}`)
}
