import { describe, expect, test } from 'vitest'
import { hasLostContent, type Statement } from '../../src/domain/statements/statement.ts'
import { Digests } from '../../src/engine/replicate/cacpd/digests.ts'
import { StatementLog } from '../../src/engine/replicate/cacpd/statement-log.ts'
import { at } from '../domain/statements/at.ts'
import { Author } from '../domain/statements/author.ts'
import { openScene } from '../domain/statements/scene.ts'
import { intakeDesk } from '../engine/replicate/intake-desk.ts'

/** What was taken away is not kept anywhere, also where somebody else made the redaction count for nothing at first. */

function contested() {
  const { backend, founding, project, story } = openScene()
  const [eve, owner] = [new Author('eve'), new Author('owner')]
  const older = eve.claim(project, 'docs', at(9))
  const rightful = owner.claim(project, 'docs', at(10))
  const secret = owner.share(rightful, at(11))
  const redaction = owner.redact(rightful, secret, at(12))
  const settled = backend.settle(founding, at(20), {
    repo: rightful.about,
    holder: rightful,
    ended: [[older, null]],
  })
  return { project, story: [...story, older, rightful], secret, redaction, settled }
}

type Desk = Awaited<ReturnType<typeof intakeDesk>>

const keptOf = ({ store }: Desk, { project_id, id }: Statement) =>
  store.view.projects.get(project_id)?.said.fact(id)

function followed({ store }: Desk) {
  const log = new StatementLog(store.statements(), store.view)
  store.onDurable((statements) => log.record(statements))
  const digests = new Digests(log, store.view, async () => {})
  return async (projectId: string) => (await digests.totals()).get(projectId)?.digest
}

describe('a redaction that counts only since a later settlement', () => {
  test('takes the content away with the settlement', async () => {
    const { story, secret, redaction, settled } = contested()
    await using desk = await intakeDesk()
    await desk.take(...story, secret, redaction)
    expect(keptOf(desk, secret)?.content).toBeDefined()
    await desk.take(settled)
    expect(hasLostContent(keptOf(desk, secret) as Statement)).toBe(true)
  })

  test('leaves the same digest behind, in whatever order it came', async () => {
    const { project, story, secret, redaction, settled } = contested()
    await using late = await intakeDesk()
    await using early = await intakeDesk()
    const [digestOfLate, digestOfEarly] = [followed(late), followed(early)]
    await late.take(...story, secret, redaction)
    await early.take(...story, secret)
    expect(await digestOfLate(project)).not.toBe(await digestOfEarly(project))
    await late.take(settled)
    await early.take(settled)
    await early.take(redaction)
    expect(await digestOfLate(project)).toBe(await digestOfEarly(project))
  })
})
