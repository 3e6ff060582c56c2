import { randomUUID } from 'node:crypto'
import type { Answer, Contract, Packet, Peer, Project, Repo } from '../../../src/domain/model.ts'
import type { Clock } from '../../../src/engine/ports.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { type Stamp, stampOfMillis } from '../../../src/protocol/stamp.ts'

/** Small entities to put into a store; what they say does not matter to it. */

const BEGIN = Date.UTC(2026, 0, 1)

export const stampAt = (second: number): Stamp => stampOfMillis(BEGIN + second * 1000)

/** A clock that stands still until a test moves it. */
export function stoppedClock(): Clock & { second: number } {
  return {
    second: 0,
    now() {
      return stampAt(this.second)
    },
    newId: () => randomUUID(),
  }
}

const at = stampAt(0)

export const project = (id: string, { second = 0, name = id } = {}): Project => ({
  project_id: id,
  name: { value: name, at },
  objective: { value: 'to be kept', at },
  archived: { value: false, at },
  visibility: 'verified' as Project['visibility'],
  created_at: stampAt(second),
  created_by: 'agent',
  extra: {},
})

export const repo = (id: string, name = id): Repo => ({
  repo_id: id,
  name,
  about: { value: { role: '', language: '', relevant_paths: [], url: null }, at },
  claims: [],
  extra: {},
})

export const contract = (id: string, { second = 0, content = {} as JsonObject } = {}): Contract => ({
  contract_id: id,
  type: 'custom',
  name: id,
  created_at: stampAt(second),
  parties: ['r1'],
  revisions: [
    {
      id: `${id}-1`,
      version: 1,
      content,
      proposed_by: 'r1',
      parent: null,
      resolves: [],
      change_notes: '',
      timestamp: stampAt(second),
      base: { value: 'proposed', at },
    },
  ],
  responses: [],
  implementations: [],
  verifications: [],
  extra: {},
})

export const packet = (
  id: string,
  { second = 0, replyTo = null as string | null, content = {} as JsonObject } = {},
): Packet => ({
  packet_id: id,
  from_repo: 'r1',
  from_agent: 'agent',
  timestamp: stampAt(second),
  type: 'decision' as Packet['type'],
  content,
  related_contracts: [],
  reply_to: replyTo,
  redacted: null,
  others: [],
  extra: {},
})

export const peer = (id: string, second = 0): Peer => ({
  agent_id: id,
  endpoint: 'http://127.0.0.1:1',
  repo_name: id,
  trust: 'approved',
  registered_at: stampAt(second),
  last_seen: stampAt(second),
})

export const answer = (key: string, second = 0): Answer => ({
  key,
  params_hash: 'hash',
  result: { done: key },
  at: stampAt(second),
})
