import { type Actor, act, arrival, isDelivered, propose, requestChange, type Stage, share } from './acts.ts'
import { AVATAR, OPEN_QUESTION, PROFILE, PROJECT } from './script.ts'

const projectId = PROJECT.name

/** What a demo that is kept leaves for the person who looks around in it, at the backend. */
export async function leaveOpen(stage: Stage): Promise<void> {
  const { backend, tell } = stage
  tell({ event: 'scene', title: `What is left for you, at the dashboard of ${backend.repo}` })
  await negotiate(stage)
  await contradict(stage)
  await share(stage, stage.frontend, {
    says: `asks: «${OPEN_QUESTION.question}»`,
    method: 'cacp/context/askQuestion',
    params: { projectId, ...OPEN_QUESTION },
  })
}

/** Somebody whom nobody invited wants to be a peer of the backend. */
export async function askToBeLetIn(stage: Stage, stranger: Actor): Promise<void> {
  const { backend } = stage
  await act(stage, stranger, {
    says: `asks to be let in: cacpd peers add '${backend.client.url}'`,
    method: 'cacp/peer/add',
    params: { url: backend.client.url },
  })
}

/** A contract in its third version, which the backend has to answer. */
async function negotiate(stage: Stage): Promise<void> {
  const { backend, frontend } = stage
  const { contractId } = await propose(stage, frontend, projectId, PROFILE)
  const subject = { projectId, contractId }
  await requestChange(stage, backend, subject, PROFILE.objection)
  for (const [index, { content, note }] of [PROFILE.second, PROFILE.third].entries())
    await share(stage, frontend, {
      says: `makes it version ${index + 2}: «${note}»`,
      method: 'cacp/contract/update',
      params: { ...subject, content, changeNote: note },
    })
}

const MOST_TRIES = 10

/** A contract that both change before they hear of each other. */
async function contradict(stage: Stage): Promise<void> {
  const { backend, frontend } = stage
  const { contractId } = await propose(stage, backend, projectId, AVATAR)
  const subject = { projectId, contractId }
  const change = (actor: Actor, { content, note }: typeof AVATAR.backend | typeof AVATAR.frontend) =>
    act(stage, actor, {
      says: `changes it at the same moment: «${note}»`,
      method: 'cacp/contract/update',
      params: { ...subject, content, changeNote: note },
    })
  const isConflict = async (): Promise<boolean> =>
    (await backend.client.call('cacp/contract/get', subject)).conflicts.length > 0
  for (let tries = 0; tries < MOST_TRIES && !(await isConflict()); tries++) {
    // One may hear of the other in time, and build upon it; then they do it again.
    await Promise.all([change(backend, AVATAR.backend), change(frontend, AVATAR.frontend)])
    await arrival(stage, { at: backend, what: 'both' }, async () =>
      (await Promise.all([backend, frontend].map(isDelivered))).every(Boolean),
    )
  }
}
