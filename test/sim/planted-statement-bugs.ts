import { KINDS } from '../../src/domain/statements/kinds.ts'
import { type Statement, withoutContent } from '../../src/domain/statements/statement.ts'
import { WaitingPool } from '../../src/domain/statements/waiting.ts'
import type { PublicKey } from '../../src/domain/trust/trust.ts'
import type { View } from '../../src/domain/view.ts'
import { ProjectStatements } from '../../src/domain/views/project-statements.ts'
import { Tally } from '../../src/domain/views/tally.ts'
import { Digests, idOfForm } from '../../src/engine/replicate/cacpd/digests.ts'
import { Fault } from '../../src/protocol/fault.ts'
import { LIMITS } from '../../src/protocol/limits.ts'
import { sha256 } from '../../src/protocol/text/sha256.ts'
import { replacingMethod } from './bends.ts'
import { type Call, handedBy, isHandover, onBatch, type PlantedBug, withView } from './planting.ts'

/**
 * What cites goes before what is cited, and each by itself: one batch is put into order where it arrives. That delays
 * it and no more.
 */
const inReverse = onBatch(async (calls, send) => {
  const answers = calls.map(async (call) => {
    if (!isHandover(call)) return send([call])
    const alone = handedBy(call).map((one) => ({ ...call, params: { ...call.params, statements: [one] } }))
    const answered = (await send(alone.toReversed())).toReversed()
    const [failed] = answered.filter(({ result }) => !Array.isArray(result?.['outcomes']))
    if (failed !== undefined) return [failed]
    return [
      { id: call.id, result: { outcomes: answered.flatMap(({ result }) => result?.['outcomes'] ?? []) } },
    ]
  })
  return (await Promise.all(answers)).flat()
})

/** Whether the claim that a statement is under holds its repo now, as far as is known here. */
function speaksNow({ under, project_id }: Statement, view: View): boolean {
  const found = view.projects.get(project_id)
  const claim = under === undefined ? undefined : found?.said.fact(under)
  if (found === undefined || claim?.kind !== 'claim') return true
  return found.repos.get(claim.about)?.holder?.speaks_by.key === claim.key
}

/** Mistakes in what is taken, kept and made of statements. */
export const PLANTED_STATEMENT_BUGS: Record<string, PlantedBug> = {
  'signatures are not checked': {
    mode: 'both',
    firstSeed: 7,
    sabotage: () => ({ verifyText: () => async () => true }),
  },

  'what waits is never looked at again': {
    mode: 'push',
    sabotage: () => ({ client: inReverse }),
    bends: () => ({
      install: () =>
        replacingMethod(
          WaitingPool.prototype,
          'take',
          (real) =>
            function (this: WaitingPool, id) {
              real.call(this, id)
              return []
            },
        ),
    }),
  },

  'anybody may have as much wait as he likes': {
    mode: 'both',
    firstSeed: 6,
    bends: () => ({
      install: () => {
        let senders = 0
        return replacingMethod(
          WaitingPool.prototype,
          'add',
          (real) =>
            function (this: WaitingPool, one, waitsFor) {
              return real.call(this, { ...one, sender: `sender ${++senders}` }, waitsFor)
            },
        )
      },
    }),
  },

  'a digest is the same whether a content is there or was taken away': {
    mode: 'digest',
    firstSeed: 3,
    bends: () => ({
      install: () => {
        const forms = replacingMethod(
          Digests.prototype,
          'forms',
          (real) =>
            async function (this: Digests, projectId) {
              return Array.from(await real.call(this, projectId), idOfForm)
            },
        )
        const totals = replacingMethod(
          Digests.prototype,
          'totals',
          (real) =>
            async function (this: Digests) {
              const alike = new Map<string, { digest: string; count: number }>()
              for (const [id, { count }] of await real.call(this))
                alike.set(id, { count, digest: digestOf(await this.forms(id)) })
              return alike
            },
        )
        return {
          [Symbol.dispose]: () => {
            totals[Symbol.dispose]()
            forms[Symbol.dispose]()
          },
        }
      },
    }),
  },

  'whether a statement is admitted depends on who holds the repo now': {
    mode: 'digest',
    firstSeed: 15,
    sabotage: () => ({
      store: (store) => ({
        ...withView(store, {}),
        commit: (decide) =>
          store.commit((view) => {
            const decision = decide(view)
            if (decision.takes === undefined) return decision
            return { ...decision, takes: decision.takes.filter((one) => speaksNow(one, view)) }
          }),
      }),
    }),
  },

  'the answer that arrived last counts': {
    mode: 'both',
    firstSeed: 5,
    bends: () => ({
      install: () =>
        replacingMethod(
          Tally.prototype,
          'note',
          (real) =>
            function (this: Tally, statement, repoId) {
              if (statement.kind !== 'answer') return real.call(this, statement, repoId)
              this.answers.set(repoId, { newest: statement, hasAgreed: statement.body['action'] === 'agree' })
            },
        ),
    }),
  },

  'a register is kept for each entity instead of each author': {
    mode: 'both',
    firstSeed: 4,
    bends: () => ({
      placeKeyOf: (real) => (statement) => real({ ...statement, under: 'anybody' }),
    }),
  },

  'what arrived last of a register is kept': {
    mode: 'digest',
    firstSeed: 34,
    bends: () => ({
      install: () =>
        replacingMethod(
          ProjectStatements.prototype,
          'isNews',
          (real) =>
            function (this: ProjectStatements, statement) {
              const isRegister = KINDS.get(statement.kind)?.family === 'register'
              return isRegister ? this.get(statement.id) === undefined : real.call(this, statement)
            },
        ),
    }),
  },

  'a content comes back that was taken away': {
    mode: 'both',
    firstSeed: 12,
    bends: () => ({
      install: () => replacingMethod(ProjectStatements.prototype, 'isTakenAway', () => () => false),
    }),
  },

  'a statement is taken without its content although nobody took that away': {
    mode: 'push',
    sabotage: () => ({
      client: onBatch(async (calls, send) => {
        const bare = (call: Call): Call =>
          isHandover(call)
            ? { ...call, params: { ...call.params, statements: handedBy(call).map(bareText) } }
            : call
        return send(calls.map(bare))
      }),
    }),
    bends: () => ({
      admit: (real) => (statement, admitted, now) => {
        const verdict = real(statement, admitted, now)
        if (verdict.outcome !== 'waits' || verdict.for !== statement.id) return verdict
        const introduction = admitted.fact(statement.under ?? '')
        return { outcome: 'admitted', signer: introduction?.body['public_key'] as unknown as PublicKey }
      },
    }),
  },

  'anybody may confirm a claim': {
    mode: 'both',
    firstSeed: 16,
    bends: () => ({
      install: () => {
        const row = KINDS.get('confirmation')
        if (row === undefined) throw new TypeError('there is such a kind')
        return replacingMethod(
          row as { madeBy: typeof row.madeBy },
          'madeBy',
          () => ['founder', 'repo'] as const,
        )
      },
    }),
  },

  'a stamp of the future is admitted': {
    mode: 'both',
    firstSeed: 7,
    bends: () => ({
      install: () => replacingMethod(LIMITS as { clockAheadSeconds: number }, 'clockAheadSeconds', () => 1e7),
    }),
  },

  'what a peer refuses stops all that comes after it': {
    mode: 'push',
    firstSeed: 10,
    sabotage: () => ({
      client: onBatch(async (calls, send) => {
        const answers = await send(calls)
        for (const { result } of answers)
          if (JSON.stringify(result?.['outcomes'] ?? '').includes('"refused"'))
            throw new Fault('unavailable', 'it was refused')
        return answers
      }),
    }),
  },
}

const digestOf = (ids: Iterable<string>): string => sha256([...ids].sort().join()).slice(0, 32)

function bareText(text: string): string {
  const statement = JSON.parse(text) as Statement
  return statement.kind === 'packet' ? JSON.stringify(withoutContent(statement)) : text
}
