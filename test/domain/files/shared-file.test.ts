import { describe, expect, test } from 'vitest'
import { doubtedMentionsBefore, doubtedMentionsIn, mayHave } from '../../../src/domain/files/shared-file.ts'
import { viewerOf } from '../../../src/domain/lookup.ts'
import type { Peer, Upload } from '../../../src/domain/model.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import type { View } from '../../../src/domain/view.ts'
import { at, orderedTableOf } from '../builders.ts'
import { Author, nonceOf } from '../statements/author.ts'
import { type Name, Story } from '../story.ts'

const SHA = 'ab'.repeat(32)
const FILE = { content: { file: { sha256: SHA } } }
const OWN = new Author('backend').key

const peer = (name: Name): Peer => ({
  agent_id: name,
  endpoint: `http://${name}`,
  repo_name: name,
  trust: 'approved',
  registered_at: at(0),
  last_seen: at(0),
  identity: new Author(name).publicKey,
})
const viewer = (name: Name) => viewerOf(peer(name))

function packetOf({ authors, claims }: Story, name: Name, second: number): Statement {
  const claim = claims[name]
  if (claim === undefined) throw new TypeError(`${name} has joined`)
  const nonce = nonceOf(`${name} ${second}`)
  const body = { type: 'decision', related_contracts: [], reply_to: null, nonce }
  return authors[name].open(claim, { kind: 'packet', at: at(second), body, ...FILE })
}

/** The daemon of the backend, which is paired with the others and may have the file. */
class OrderedTable {
  readonly story = new Story({ named: ['backend', 'frontend', 'mobile'] })
  readonly #doubted = new Map<string, { is_doubted: true }>()
  readonly #uploads: Upload[] = []
  isStored = false

  get view(): View {
    const byId = <T>(map: ReadonlyMap<string, T>) => ({
      ...orderedTableOf<T>([], { id: () => '', created: () => '' }),
      get: (id: string) => map.get(id),
    })
    return {
      ...this.story.view,
      peers: orderedTableOf([peer('frontend'), peer('mobile')], {
        id: (one) => one.agent_id,
        created: () => '',
      }),
      namings: byId(this.#doubted),
      uploads: orderedTableOf(this.#uploads, {
        id: ({ sha256, by }) => `${sha256} ${by}`,
        created: () => '',
      }),
      fileSize: () => (this.isStored ? 1 : undefined),
    }
  }

  /** A packet that names the file comes in from one of the others. */
  hear(name: Name, second: number): void {
    const said = packetOf(this.story, name, second)
    for (const { id } of doubtedMentionsIn(this.view, [said], { ownKey: OWN }))
      this.#doubted.set(id, { is_doubted: true })
    this.story.say(said)
  }

  bring(by: 'operator' | Name): void {
    const bringer = by === 'operator' ? { agentId: 'backend' } : viewer(by)
    const stored = { sha256: SHA, size: 1 }
    for (const { id } of doubtedMentionsBefore(this.view, stored, { bringer, ownKey: OWN }))
      this.#doubted.set(id, { is_doubted: true })
    this.#uploads.push({ ...stored, by: by === 'operator' ? 'operator backend' : `peer ${by}`, at: at(0) })
    this.isStored = true
  }

  isFor = (name: Name): boolean => mayHave(this.view, SHA, viewer(name))
}

describe('a file', () => {
  test('is for whoever sees a packet by which its owner names it', () => {
    const shelf = new OrderedTable()
    shelf.bring('operator')
    shelf.story.shares('backend', at(20), FILE)
    expect([shelf.isFor('frontend'), shelf.isFor('mobile')]).toEqual([true, true])
  })

  test('is for nobody by a packet that names a hash which its author has no right to', () => {
    const shelf = new OrderedTable()
    shelf.bring('operator')
    shelf.hear('frontend', 20)
    expect([shelf.isFor('frontend'), shelf.isFor('mobile')]).toEqual([false, false])
  })

  test('is for nobody by a packet that named the hash before it was here', () => {
    const shelf = new OrderedTable()
    shelf.hear('frontend', 20)
    shelf.bring('operator')
    expect([shelf.isFor('frontend'), shelf.isFor('mobile')]).toEqual([false, false])
  })

  test('that its author brings is for whoever sees what it said before', () => {
    const shelf = new OrderedTable()
    shelf.hear('frontend', 20)
    shelf.bring('frontend')
    expect([shelf.isFor('frontend'), shelf.isFor('mobile')]).toEqual([true, true])
  })

  test('may be named again by those who have it', () => {
    const shelf = new OrderedTable()
    shelf.bring('operator')
    shelf.story.shares('backend', at(20), FILE)
    shelf.hear('mobile', 21)
    expect(shelf.isFor('frontend')).toBe(true)
  })

  test('that is not here yet tells nothing to whoever only named it itself', () => {
    const shelf = new OrderedTable()
    shelf.hear('frontend', 20)
    expect([shelf.isFor('frontend'), shelf.isFor('mobile')]).toEqual([false, true])
  })
})
