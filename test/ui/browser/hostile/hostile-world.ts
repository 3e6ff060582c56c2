import { inSeconds, invitedBy } from '../../../hostile/invited.ts'
import { daemon, type TestDaemon } from '../../../support/daemons/daemon.ts'
import { SigningAuthor } from '../../../support/desk/signing-author.ts'
import { OPERATOR } from '../../../support/runs/test-runs.ts'
import { everythingSaidBy } from './everything-said.ts'
import { HOSTILE_AGENT, requestToTell } from './hostile-agent.ts'
import { HostileAuthor } from './hostile-author.ts'
import { cut } from './texts.ts'

const REPO = 'backend-api'
const NO_LIMITS = { ratePerStranger: 1_000_000, ratePairing: 1_000_000, ratePerAddress: 1_000_000 }

/** One text, in everything that an agent can write. */
export interface HostileProject {
  readonly projectId: string
  readonly contractId: string
  readonly questionId: string
}

/** A daemon whose peers, files, runs and audit trail are full of these texts. */
export interface HostileWorld extends AsyncDisposable {
  readonly backend: TestDaemon
  /** What the daemon did not take of what was said: nothing. */
  readonly refused: readonly string[]
  /** The kinds of what was said. */
  readonly kinds: ReadonlySet<string>
  readonly projects: ReadonlyMap<string, HostileProject>
  /** What the agent did, with all of them. */
  readonly runId: string
}

export async function openHostileWorld(texts: ReadonlyMap<string, string>): Promise<HostileWorld> {
  const backend = await daemon({ ...NO_LIMITS, agent: HOSTILE_AGENT })
  const refused: string[] = []
  const kinds = new Set<string>()
  const projects = new Map<string, HostileProject>()
  for (const [name, text] of texts) {
    const author = new HostileAuthor(text)
    const eve = await invitedBy(backend, `eve-${projects.size}`, { author })
    const { statements, projectId, contractId, questionId } = everythingSaidBy(author, REPO)
    const outcomes = await eve.tell(...statements)
    for (const { kind } of statements) kinds.add(kind)
    for (const [at, { status, reason = '' }] of outcomes.entries())
      if (status !== 'taken') refused.push(`${name}: ${statements[at]?.kind}: ${status} ${reason}`)
    await backend.rpc('cacp/project/join', { projectId, repoName: REPO })
    // And somebody of that name wants to speak for the repo of this daemon: a person has to settle it.
    const rival = new SigningAuthor(cut(text, 200)).claim(projectId, REPO, inSeconds(1))
    const [claimed] = await eve.tell(rival)
    if (claimed?.status !== 'taken') refused.push(`${name}: claim: ${claimed?.status} ${claimed?.reason}`)
    await strangerNamed(backend, text, projects.size)
    projects.set(name, { projectId, contractId, questionId })
  }
  const { run } = await backend.runs.start(requestToTell([...texts.values()]), OPERATOR)
  return {
    backend,
    refused,
    kinds,
    projects,
    runId: run.run_id,
    [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose](),
  }
}

/** Somebody without a key asks to be let in, and to do something; both may be refused, and both leave a trace. */
async function strangerNamed(backend: TestDaemon, text: string, number: number): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: '' }
  const register = { agentId: `aid://example.com/stranger-${number}@1.0.0`, endpoint: 'http://127.0.0.1:9' }
  for (const named of [
    { ...register, repoName: cut(text, 200) },
    { ...register, agentId: cut(text, 200) },
  ])
    await backend.fetch('/peers/register', { method: 'POST', headers, body: JSON.stringify(named) })
  const ascii = text
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, 300)
    .trim()
  await backend.fetch('/', {
    method: 'POST',
    headers: { ...headers, 'x-agent-id': ascii },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: cut(text, 300), params: {} }),
  })
}
