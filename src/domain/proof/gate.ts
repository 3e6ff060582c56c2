import { wrongField } from '../../protocol/fault.ts'
import { isOver, repoName, repoNames } from '../contract/next-step.ts'
import { contractOf, repoNamed } from '../lookup.ts'
import { listed } from '../names/listed.ts'
import { quoted } from '../names/quoted.ts'
import type { ProjectView } from '../view.ts'
import type { RepoEntity, RevisionEntity } from '../views/entities.ts'
import type { Grade } from './evidence.ts'
import { CHECKS, type GateQuestion } from './gate-checks.ts'
import { GATE_ANSWERS, type GateAnswer, type GateRow, type GateSaid } from './gate-shape.ts'
import { whyIgnored } from './ignored-file.ts'
import { ignoredFiles, proofOf } from './proof.ts'

/** Undefined where the repo has no part in the contract, or the contract has ended. */
function gateOf(question: GateQuestion): GateRow | undefined {
  const { contract, repo } = question
  const revision = contract.in_force?.revision ?? contract.head
  if (isOver(contract) || !revision.parties.includes(repo.repo_id)) return undefined
  const { contract_id: contractId, name } = contract
  const notes = notesOnIgnored(question)
  const said = contract.in_force === undefined ? notInForce(question) : askInTurn(question, revision, notes)
  const files = filesOf(question)
  return {
    contractId,
    name,
    version: revision.version,
    ...said,
    ...(notes.length === 0 ? {} : { notes }),
    ...(files === undefined ? {} : { files }),
  }
}

interface GateAsked {
  readonly found: ProjectView
  readonly repo: RepoEntity
  /** Left out: all contracts of the repo. */
  readonly contractId?: string | undefined
  readonly require?: Grade | undefined
}

/** Whether a repo may merge its part of one contract, or of all of them; with what is said of each, the worst first. */
export function checkGate({ found, repo, contractId, require = 'ran' }: GateAsked) {
  const all = [...found.contracts.oldestFirst()]
  const asked = contractId === undefined ? all : [contractOf(found, contractId)]
  const isMergingSaid = all.some(({ merged }) => merged.length > 0)
  const rows = asked
    .flatMap((contract) => gateOf({ found, contract, repo, require, isMergingSaid }) ?? [])
    .sort((a, b) => GATE_ANSWERS.indexOf(a.answer) - GATE_ANSWERS.indexOf(b.answer))
  // That of a repo without any contract is yes.
  const answer: GateAnswer = rows[0]?.answer ?? 'yes'
  return { answer, rows }
}

/** The repo of this name, which must be there. */
export function repoToCheck(found: ProjectView, name: string): RepoEntity {
  const repo = repoNamed(found, name)
  if (repo !== undefined) return repo
  const names = [...found.repos.oldestFirst()].map((one) => one.name)
  throw wrongField('repo', `${name} is no repo of this project`, {
    next: `There are ${listed(names, MOST_NAMED)}`,
  })
}

/** Most names in a sentence. */
const MOST_NAMED = 20

function askInTurn(question: GateQuestion, inForce: RevisionEntity, notes: string[]): GateSaid {
  for (const check of CHECKS) {
    const said = check(question, inForce, notes)
    if (said !== undefined) return said
  }
  const { contract } = question
  if (contract.head.id !== inForce.id)
    notes.push(
      `Version ${contract.head.version} is being negotiated; version ${inForce.version} stays in force`,
    )
  const best = proofOf(contract)?.best
  return {
    answer: 'yes',
    code: 'fits',
    say: `Version ${inForce.version} is complete on all sides and verified`,
    ...(best === undefined ? {} : { grade: best.grade }),
  }
}

function notInForce({ found, contract }: GateQuestion): GateSaid {
  const waits = repoNames(found, contract.unanswered)
  return {
    answer: 'yes',
    code: 'not_in_force',
    say: `Version ${contract.head.version} is ${contract.status}, and no version is in force that could be kept`,
    ...(waits.length === 0 ? {} : { ask: waits }),
  }
}

/** Most characters of a quoted path. */
const FILE_LENGTH = 200

function notesOnIgnored({ found, contract }: GateQuestion): string[] {
  const ignored = ignoredFiles(contract)
  const notes = ignored
    .slice(0, MOST_NOTED)
    .map(
      (file) =>
        `Nobody would see a change of ${quoted(file.path, FILE_LENGTH)} of ${repoName(found, file.repoId)}: ${whyIgnored(file)}`,
    )
  if (ignored.length > MOST_NOTED) notes.push(`The same holds for ${ignored.length - MOST_NOTED} more files`)
  return notes
}

/** Most ignored files that are noted. */
const MOST_NOTED = 5

/** What the working copy of the asking repo can be compared with: its declared files, as its daemon stated them last. */
function filesOf({ contract, repo }: GateQuestion): GateRow['files'] {
  const own = contract.works.find(({ repo_id }) => repo_id === repo.repo_id)
  const stated = contract.trees.find(({ repo_id }) => repo_id === repo.repo_id)
  if (own === undefined || stated === undefined || stated.revision !== own.revision) return undefined
  return { paths: own.files, digest: stated.digest }
}
