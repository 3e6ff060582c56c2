import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFiles } from '../../io/demo/place.ts'
import { type Actor, act, arrival, propose, requestChange, type Stage, type Subject, share } from './acts.ts'
import { ANSWER, DECISION, ENDPOINT, FILES, PROJECT, QUESTION } from './script.ts'

/** From two strangers to a verified contract; answers the status that both sides see in the end. */
export async function playStory(stage: Stage): Promise<string> {
  const projectId = await pair(stage)
  const contractId = await negotiate(stage, projectId)
  const subject = { projectId, contractId }
  await talk(stage, subject)
  await build(stage, subject)
  return await verify(stage, subject)
}

async function pair(stage: Stage): Promise<string> {
  const { backend, frontend, tell } = stage
  tell({ event: 'scene', title: 'They pair: one command on each side, and no server between them' })
  const { projectId } = await act(stage, backend, {
    says: `makes the project «${PROJECT.name}»`,
    method: 'cacp/project/create',
    params: PROJECT,
  })
  const { url } = await act(stage, backend, {
    says: `invites: cacpd invite --project '${PROJECT.name}'`,
    method: 'cacp/invite/create',
    params: { project: projectId },
    // It holds a secret, though only for a moment.
    tells: ({ inviteId, expiresAt }) => ({ inviteId, expiresAt }),
  })
  const { fingerprint } = await act(stage, frontend, {
    says: "joins: cacpd join 'http://…/pair#…'",
    method: 'cacp/peer/join',
    params: { url },
  })
  await arrival(stage, { at: frontend, what: 'the project' }, async () => {
    const { repos } = await frontend.client.call('cacp/project/get', { projectId })
    return repos.some(({ name, agent_id }) => name === frontend.repo && agent_id !== null)
  })
  const { peers } = await backend.client.call('cacp/peer/list', {})
  if (!peers.some((peer) => peer.fingerprint === fingerprint))
    throw new Error('The two sides do not see the same words, so somebody is between them')
  tell({ event: 'paired', words: fingerprint })
  return projectId
}

async function negotiate(stage: Stage, projectId: string): Promise<string> {
  const { backend, frontend, tell } = stage
  tell({ event: 'scene', title: 'They negotiate an endpoint' })
  const { contractId } = await propose(stage, backend, projectId, ENDPOINT)
  const subject = { projectId, contractId }
  await lookIntoInbox(stage, frontend)
  await requestChange(stage, frontend, subject, ENDPOINT.objection)
  await share(stage, backend, {
    says: `makes it version 2: ${ENDPOINT.second.method} ${ENDPOINT.second.path}`,
    method: 'cacp/contract/update',
    params: { ...subject, content: ENDPOINT.second, changeNote: ENDPOINT.note },
  })
  await share(stage, frontend, {
    says: 'agrees',
    method: 'cacp/contract/respond',
    params: { ...subject, action: 'agree' },
  })
  return contractId
}

async function talk(stage: Stage, { projectId, contractId }: Subject): Promise<void> {
  const { backend, frontend, tell } = stage
  tell({ event: 'scene', title: 'What the contract does not say is asked beside it' })
  const about = { projectId, relatedContracts: [contractId] }
  const { packetId: question } = await share(stage, frontend, {
    says: `asks: «${QUESTION.question}»`,
    method: 'cacp/context/askQuestion',
    params: { ...about, ...QUESTION },
  })
  await lookIntoInbox(stage, backend)
  await share(stage, backend, {
    says: `answers: «${ANSWER.explanation}»`,
    method: 'cacp/context/shareCode',
    params: { ...about, ...ANSWER, replyTo: question },
  })
  await share(stage, frontend, {
    says: `records what is decided: ${DECISION.chosen}`,
    method: 'cacp/context/recordDecision',
    params: { ...about, ...DECISION, replyTo: question },
  })
}

async function build(stage: Stage, subject: Subject): Promise<void> {
  const { backend, frontend, tell } = stage
  tell({ event: 'scene', title: 'Both build what they agreed on' })
  for (const actor of [backend, frontend]) {
    const file = FILES[actor.repo === backend.repo ? 'backend' : 'frontend']
    await act(stage, actor, {
      says: 'starts',
      method: 'cacp/implementation/start',
      params: { ...subject, plan: `Write ${file.name}` },
    })
    // As agreed, not as the script of this demo has it.
    const { content } = await actor.client.call('cacp/contract/get', subject)
    await writeFiles(actor.root, { [file.name]: file.text(String(content['path'])) })
    await share(stage, actor, {
      says: `has written ${file.name}`,
      method: 'cacp/implementation/complete',
      params: { ...subject, files: [file.name] },
    })
  }
}

async function verify(stage: Stage, subject: Subject): Promise<string> {
  const { backend, frontend, tell } = stage
  tell({ event: 'scene', title: 'And the parts fit' })
  const { content } = await frontend.client.call('cacp/contract/get', subject)
  const path = String(content['path'])
  const texts = await Promise.all([
    readFile(join(backend.root, FILES.backend.name), 'utf8'),
    readFile(join(frontend.root, FILES.frontend.name), 'utf8'),
  ])
  const fits = texts.every((text) => text.includes(path))
  await share(stage, frontend, {
    says: fits ? `verifies: both sides use ${path}` : `finds a side that does not use ${path}`,
    method: 'cacp/implementation/verify',
    params: { ...subject, result: fits ? 'success' : 'failure', notes: `Looked for ${path} on both sides` },
  })
  const { status } = await backend.client.call('cacp/contract/get', subject)
  return status
}

/** Shows that the inbox follows from the state, without any message. */
async function lookIntoInbox(stage: Stage, actor: Actor): Promise<void> {
  await act(stage, actor, {
    says: ({ items }) => `finds in its inbox: ${items.map(({ kind }) => kind).join(', ') || 'nothing'}`,
    method: 'cacp/inbox/list',
    params: {},
    tells: ({ items }) => ({ items: items.map(({ kind, about }) => ({ kind, about })) }),
  })
}
