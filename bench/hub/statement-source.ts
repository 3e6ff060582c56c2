import { subjectOf } from '../../src/domain/hub/subject.ts'
import type { Statement } from '../../src/domain/statements/statement.ts'
import { textOf } from '../../src/domain/statements/statement.ts'
import type { HubMessage } from '../../src/engine/ports/hub.ts'
import { createNatsHub } from '../../src/io/hub/nats-hub.ts'
import { systemClock } from '../../src/io/system/clock.ts'
import { SigningAuthor } from '../../test/support/desk/signing-author.ts'
import { endWithParent, tell } from '../child.ts'
import { content, nameOf } from '../material.ts'

/** Puts signed contracts of projects of its own on a hub, as daemons that were there before would have. */
export interface SourceJob {
  readonly url: string
  readonly org: string
  readonly projects: number
  readonly contracts: number
}

const BATCH = 512

endWithParent()
const { url, org, projects, contracts } = JSON.parse(process.argv[2] ?? '') as SourceJob
const author = new SigningAuthor(`aid://example.com/source-${process.pid}@1.0.0`)
await using hub = await createNatsHub({ url, org, members: false, name: 'source' }).open(
  new AbortController().signal,
)

let batch: HubMessage[] = []
async function put(statement: Statement): Promise<void> {
  batch.push({ subject: subjectOf(org, statement), id: statement.id, text: textOf(statement) })
  if (batch.length >= BATCH) await flush()
}
async function flush(): Promise<void> {
  const outcomes = await hub.publish(batch)
  if (!outcomes.every(({ status }) => status === 'stored'))
    throw new Error('The hub did not store everything')
  batch = []
}

let number = 0
for (let project = 0; project < projects; project++) {
  const founded = author.found(systemClock.now(), {
    name: `Feature ${project}`,
    nonce: systemClock.newNonce(),
  })
  await put(founded)
  const claim = author.claim(founded.project_id, 'backend-api', systemClock.now())
  await put(claim)
  for (; number < (contracts * (project + 1)) / projects; number++)
    await put(
      author.propose(claim, systemClock.now(), {
        parties: [claim.about],
        name: nameOf(number),
        content: content(number),
        nonce: systemClock.newNonce(),
      }),
    )
}
await flush()
tell({ statements: 2 * projects + contracts })
