import { backgroundOf } from '../../domain/brief/background.ts'
import { type BriefContent, type Changed, composeBrief } from '../../domain/brief/brief.ts'
import { decisionHoldsIn } from '../../domain/context/decision.ts'
import { isAddressedTo, messageIn } from '../../domain/context/message.ts'
import { type Caller, type Env, ownerOf } from '../../domain/env.ts'
import { cursorText, readCursor } from '../../domain/feed/cursor.ts'
import { maySee, projectOf, repoOfAgent } from '../../domain/lookup.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import type { ContractEntity, PacketEntity } from '../../domain/views/entities.ts'
import type { BriefRequest } from '../../methods/seat/brief.ts'
import type { BriefAnswer, Briefing } from '../../methods/seat/service.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import type { Parts } from '../parts.ts'
import type { DerivedInbox } from './inbox/inbox.ts'

export interface BriefDeps extends Pick<Parts, 'store' | 'log'> {
  readonly inbox: Pick<DerivedInbox, 'list' | 'projectsOf'>
}

/** How many inbox items, and how many waits, are read; a brief has no room for more. */
const MAX_ITEMS = 100
/** How many of the newest changes are read, however long the caller was away. */
const MAX_CHANGES = 2000

type Changes = Pick<BriefContent, 'contracts' | 'decisions' | 'messages' | 'isPastCut' | 'background'>

/**
 * Writes a brief from the inbox and, for what changed, from the end of the change log: the cost of neither grows with
 * the state.
 */
export function createBriefing({ store, log, inbox }: BriefDeps): Briefing {
  return { brief }

  async function brief({ since, budget, projectId }: BriefRequest, env: Env): Promise<BriefAnswer> {
    if (projectId !== undefined) projectOf(store.view, projectId, env)
    const from = since === undefined ? undefined : readCursor(since, { storeId: store.id, seq: log.seq })
    // With reviews: contracts are compared here, with pauses, and not inside the commit below.
    const query = { projectId, limit: MAX_ITEMS, includeAcked: false, withReviews: true }
    const page = await inbox.list(query, env)
    const cursor = cursorText({ storeId: store.id, seq: log.seq })
    // Written inside a commit, so that a brief never contains what a crash could still undo.
    return store.commit((view) => {
      const matter: BriefContent = {
        duties: { items: page.items, isCut: page.count > page.items.length },
        waits: { items: page.waitingFor, isCut: page.waitingFor.length === MAX_ITEMS },
        ...(from === undefined ? background(view, projectId, env) : past(view, from, projectId, env)),
      }
      return { result: { ...composeBrief(matter, budget, { view, env }), cursor } }
    })
  }

  /** What the projects of the caller are about, for a caller that asks for the first time. */
  function background(view: View, projectId: string | undefined, { caller }: Env): Changes {
    const ownProject = ownProjects(view, projectId, caller)
    const projects: ProjectView[] = []
    for (const id of projectId === undefined ? inbox.projectsOf(caller) : [projectId]) {
      const own = ownProject(id)
      if (own !== undefined) projects.push(own.found)
      if (projects.length === MAX_ITEMS) break
    }
    const current = view.currents.get(ownerOf(caller))?.project_id
    const isCurrent = ({ project }: ProjectView) => Number(project.project_id === current)
    projects.sort(
      (a, b) =>
        isCurrent(b) - isCurrent(a) ||
        compareText(b.project.created_at, a.project.created_at) ||
        compareText(a.project.project_id, b.project.project_id),
    )
    return { contracts: [], ...backgroundOf(projects), isPastCut: false }
  }

  /**
   * What others changed in the projects of the caller, newest first. Changes by the caller's own repo are left out.
   */
  function past(view: View, since: number, projectId: string | undefined, { caller }: Env): Changes {
    const start = Math.max(since, log.seq - MAX_CHANGES)
    const ownProject = ownProjects(view, projectId, caller)
    const contracts: Changed<ContractEntity>[] = []
    const decisions: Changed<PacketEntity>[] = []
    const messages: Changed<PacketEntity>[] = []
    const standing = new Map<ProjectView, ReturnType<typeof decisionHoldsIn>>()
    for (const { kind, project_id, id } of log.after(start)) {
      const own = ownProject(project_id)
      if (own === undefined) continue
      const { found, repoId } = own
      const contract = kind === 'contract' ? found.contracts.get(id) : undefined
      if (contract !== undefined && contract.updated_by !== repoId)
        contracts.push({ projectId: project_id, value: contract })
      const packet = kind === 'packet' ? found.packets.get(id) : undefined
      if (packet === undefined || packet.repo_id === repoId) continue
      const stands = standing.get(found) ?? decisionHoldsIn(found)
      standing.set(found, stands)
      if (stands(packet)) decisions.push({ projectId: project_id, value: packet })
      const ownName = repoId === undefined ? undefined : found.repos.get(repoId)?.name
      if (messageIn(packet) !== undefined && isAddressedTo(packet, ownName) !== false)
        messages.push({ projectId: project_id, value: packet })
    }
    return {
      contracts: contracts.reverse(),
      decisions: decisions.reverse(),
      messages: messages.reverse(),
      isPastCut: start > since,
    }
  }
}

interface OwnProject {
  readonly found: ProjectView
  /** Undefined where the caller named a project in which it holds no repo. */
  readonly repoId: string | undefined
}

/**
 * Which repo the caller has in a project; undefined if the project does not belong into its brief. Remembers the
 * result for each project.
 */
function ownProjects(view: View, projectId: string | undefined, caller: Caller) {
  const known = new Map<string, OwnProject | undefined>()
  const look = (id: string): OwnProject | undefined => {
    const found = view.projects.get(id)
    if (found === undefined || !maySee(found, caller)) return undefined
    const repoId = repoOfAgent(found, caller.agentId)?.repo_id
    if (projectId !== undefined) return id === projectId ? { found, repoId } : undefined
    return repoId === undefined || found.project.archived ? undefined : { found, repoId }
  }
  return (id: string): OwnProject | undefined => {
    if (!known.has(id)) known.set(id, look(id))
    return known.get(id)
  }
}
