import * as z from 'zod'
import { namesOf } from '../../domain/contract/advice.ts'
import { contractIn, type Seat, seatAt } from '../../domain/contract/contract.ts'
import {
  judgedIn,
  judgedTrees,
  revisionToBuild,
  revisionToVerify,
  startedWork,
} from '../../domain/contract/implementation.ts'
import { repoName } from '../../domain/contract/next-step.ts'
import { contractOf, projectOf, repoNamed } from '../../domain/lookup.ts'
import { type Evidence, failureIn, GivenEvidence, GRADES, gradeOf } from '../../domain/proof/evidence.ts'
import { type IgnoredFile, notThere, whyIgnored } from '../../domain/proof/ignored-file.ts'
import { ignoredFiles } from '../../domain/proof/proof.ts'
import { renderInForce, reportedFiles } from '../../domain/render.ts'
import { timeToSay } from '../../domain/statements/say.ts'
import { verification as verificationKind } from '../../domain/statements/verification.ts'
import { work as workKind } from '../../domain/statements/work.ts'
import type { RevisionEntity } from '../../domain/views/entities.ts'
import { wrongField } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { RepoWord } from '../../protocol/named.ts'
import {
  ContractStatus,
  Endpoint,
  ImplementationStatus,
  Text,
  Texts,
  VerificationResult,
} from '../../protocol/words.ts'
import { changes, EXAMPLE, method, readsProject } from '../row.ts'
import { Detailed, FilePaths, InForceShape, Target } from '../shapes.ts'

const Ignored = z.array(z.object({ repo: z.string(), file: z.string(), why: z.string() }))

export const start = method({
  name: 'cacp/implementation/start',
  summary: 'Signal that you are starting implementation.',
  ...changes('implementation:update'),
  params: z.object({ ...Target, plan: Text.default(''), estimatedFiles: FilePaths.default([]) }),
  result: z.object({
    status: z.literal('started'),
    implementationId: z.string(),
    contractStatus: ContractStatus,
  }),
  example: {
    params: { ...EXAMPLE.target, plan: 'Will implement GET endpoint with SQLAlchemy ORM' },
    result: {
      status: 'started',
      implementationId: `${EXAMPLE.contractId}:${EXAMPLE.repoId}`,
      contractStatus: 'agreed',
    },
  },
}).decide((view, { plan, estimatedFiles, ...target }, env) => {
  const seat = seatAt(view, target, env)
  const { contract, found, repo, speak } = seat
  const revision = revisionToBuild(seat, 'start').id
  const about = contract.contract_id
  const started = speak(workKind, {
    about,
    body: {
      revision,
      status: 'in_progress',
      started_at: timeToSay(env.now, found.newestAbout(about)),
      files: [],
      estimated_files: estimatedFiles,
    },
    content: { plan, notes: '', test_endpoint: null },
  })
  return {
    says: [started],
    tell: (after) => ({
      status: 'started',
      implementationId: `${target.contractId}:${repo.repo_id}`,
      contractStatus: contractIn(after, target).status,
    }),
  }
})

export const complete = method({
  name: 'cacp/implementation/complete',
  summary: 'Mark your implementation as complete.',
  ...changes('implementation:update'),
  params: z.object({
    ...Target,
    files: FilePaths,
    notes: Text.default(''),
    testEndpoint: Endpoint.nullish().describe('where the others can try it'),
  }),
  result: z.object({
    status: z.literal('complete'),
    contractStatus: ContractStatus,
    ignored: Ignored.optional().describe(
      'declared files that count as not there: whether they change is not seen',
    ),
  }),
  declares: ({ files }) => files,
  example: {
    params: { ...EXAMPLE.target, files: ['src/routes/user.py', 'src/models/user.py'] },
    result: { status: 'complete', contractStatus: 'agreed' },
  },
}).decide((view, { files, notes, testEndpoint, ...target }, env) => {
  const seat = seatAt(view, target, env)
  const revision = revisionToBuild(seat, 'complete').id
  const { started_at, estimated_files, plan } = startedWork(seat)
  const completed = seat.speak(workKind, {
    about: seat.contract.contract_id,
    body: { revision, status: 'complete', started_at, files, estimated_files },
    content: { plan, notes, test_endpoint: testEndpoint ?? null },
  })
  return {
    says: [completed],
    tell: (after) => ({
      status: 'complete',
      contractStatus: contractIn(after, target).status,
      ...tellIgnored(seat, notThere(files, env.looks ?? [])),
    }),
  }
})

const VERIFIED = { success: 'verified', failure: 'failed', partial: 'partial' } as const

export const verify = method({
  name: 'cacp/implementation/verify',
  summary: 'Verify that the integration works: success, failure or partial.',
  ...changes('implementation:update'),
  params: z.object({
    ...Target,
    result: VerificationResult,
    notes: Text.default(''),
    failureDetails: Detailed.nullish(),
    evidence: GivenEvidence.default([]).describe(
      'what shows it: a command that was run, or requests that were observed; `cacpd verify` collects both',
    ),
    blames: z
      .array(RepoWord)
      .max(LIMITS.repos)
      .default([])
      .describe('with result failure: names of the repos whose part does not work; default: all of them'),
  }),
  result: z.object({
    status: z.enum(['verified', 'failed', 'partial']),
    contractStatus: ContractStatus,
    grade: z.enum(GRADES).optional().describe('with evidence: how well it is founded'),
    ignored: Ignored.optional().describe('declared files of the parties that it does not cover'),
  }),
  example: {
    params: { ...EXAMPLE.target, result: 'success', notes: 'Integration tests passing' },
    result: { status: 'verified', contractStatus: 'verified' },
  },
  prepare: ({ trees }, target) => trees.refresh(target),
}).decide((view, { result, notes, failureDetails, evidence, blames, ...target }, env) => {
  const seat = seatAt(view, target, env)
  const revision = revisionToVerify(seat)
  if (blames.length > 0 && result !== 'failure')
    throw wrongField('blames', 'is for result failure only', { next: 'Leave it out' })
  const shown = evidence.map((one): Evidence => ({ ...one, repo: one.repo ?? seat.repo.name }))
  assertFits(result, shown)
  const judged = seat.speak(verificationKind, {
    about: seat.contract.contract_id,
    body: {
      revision: revision.id,
      result,
      judged: judgedIn(seat, revision),
      blames: [...new Set(blames)].map((name) => blamed(seat, revision, name)),
      trees: judgedTrees(seat, revision),
    },
    content: {
      notes,
      failure_details: failureDetails ?? null,
      ...(shown.length === 0 ? {} : { evidence: shown }),
    },
  })
  return {
    says: [judged],
    tell: (after) => ({
      status: VERIFIED[result],
      contractStatus: contractIn(after, target).status,
      ...(shown.length === 0 ? {} : { grade: gradeOf(shown) }),
      ...tellIgnored(seat, ignoredFiles(seat.contract)),
    }),
  }
})

/** Files that count as not there, of the caller's own repo unless it is said. */
const tellIgnored = (
  { found, repo }: Seat,
  ignored: readonly (IgnoredFile & { readonly repoId?: string })[],
): { ignored?: z.output<typeof Ignored> } =>
  ignored.length === 0
    ? {}
    : {
        ignored: ignored.map(({ path, repoId = repo.repo_id, ...file }) => ({
          repo: repoName(found, repoId),
          file: path,
          why: whyIgnored(file),
        })),
      }

/** Whoever says that it works while its evidence says otherwise has overlooked something. */
function assertFits(result: VerificationResult, evidence: readonly Evidence[]): void {
  const failed = result === 'success' ? failureIn(evidence) : undefined
  if (failed === undefined) return
  const what =
    failed.kind === 'run'
      ? `the command ended with ${failed.exitCode}`
      : `${failed.failed} requests did not fit`
  throw wrongField('result', `is success, and by the evidence ${what}`, {
    next: 'Say failure or partial, or give evidence of a run that succeeded',
  })
}

/** Only parties of the contract can be blamed. */
function blamed(seat: Seat, { parties }: RevisionEntity, name: string): string {
  const repoId = repoNamed(seat.found, name)?.repo_id
  if (repoId !== undefined && parties.includes(repoId)) return repoId
  throw wrongField('blames', `${name} is no party of this contract`, {
    next: `Name ${namesOf(seat, parties)}`,
  })
}

export const getStatus = method({
  name: 'cacp/implementation/getStatus',
  summary: 'See how far each party is with a contract.',
  ...readsProject,
  params: z.object(Target),
  result: z.object({
    contractId: z.string(),
    contractStatus: ContractStatus,
    implementations: z.array(
      z.object({
        repoId: z.string(),
        agentId: z.string(),
        status: ImplementationStatus,
        files: Texts,
        startedAt: z.string().nullable(),
        completedAt: z.string().nullable(),
        failedBy: z
          .array(z.string())
          .optional()
          .describe('where it needs revision: repo ids of those who found that it does not work'),
      }),
    ),
    waitingFor: z.array(z.string()).describe('repo ids of the parties that are not complete'),
    inForce: InForceShape,
  }),
  example: {
    params: EXAMPLE.target,
    result: {
      contractId: EXAMPLE.contractId,
      contractStatus: 'agreed',
      implementations: [
        {
          repoId: EXAMPLE.repoId,
          agentId: EXAMPLE.agentId,
          status: 'in_progress',
          files: [],
          startedAt: EXAMPLE.time,
          completedAt: null,
        },
      ],
      waitingFor: [EXAMPLE.repoId],
      inForce: EXAMPLE.inForce,
    },
  },
}).decide((view, { projectId, contractId }, env) => {
  const contract = contractOf(projectOf(view, projectId, env), contractId)
  const { in_force, works, head, status } = contract
  const { parties } = in_force?.revision ?? head
  const done = new Set(works.filter((one) => one.status === 'complete').map((one) => one.repo_id))
  return {
    result: {
      contractId,
      contractStatus: status,
      implementations: works.map((one) => ({
        repoId: one.repo_id,
        agentId: one.agent_id,
        status: one.status,
        files: reportedFiles(one),
        startedAt: one.started_at,
        completedAt: one.completed_at,
        ...(one.failures.length === 0 ? {} : { failedBy: one.failures.map(({ repo_id }) => repo_id) }),
      })),
      waitingFor: parties.filter((party) => !done.has(party)),
      inForce: renderInForce(contract),
    },
  }
})
