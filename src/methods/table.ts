import type * as z from 'zod'
import * as context from './context/context.ts'
import * as file from './context/file.ts'
import * as contextReads from './context/reads.ts'
import * as contract from './contract/contract.ts'
import * as contractDiff from './contract/diff.ts'
import { expect, unused } from './contract/expect.ts'
import * as gate from './contract/gate.ts'
import * as contractGet from './contract/get.ts'
import * as implementation from './contract/implementation.ts'
import * as contractList from './contract/list.ts'
import * as contractReview from './contract/review.ts'
import * as contractTakenBack from './contract/taken-back.ts'
import * as contractUpdate from './contract/update.ts'
import * as adp from './peers/adp.ts'
import * as audit from './peers/audit.ts'
import * as hub from './peers/hub.ts'
import * as identity from './peers/identity.ts'
import * as invite from './peers/invite.ts'
import * as peer from './peers/peer.ts'
import * as replication from './peers/replication.ts'
import * as sync from './peers/sync.ts'
import * as token from './peers/token.ts'
import * as ui from './peers/ui.ts'
import * as person from './person/todo.ts'
import * as projectCurrent from './project/current.ts'
import * as projectGet from './project/get.ts'
import { join } from './project/join.ts'
import * as projectMap from './project/map.ts'
import * as projectOverview from './project/overview.ts'
import * as project from './project/project.ts'
import * as repo from './project/repo.ts'
import * as projectSummary from './project/summary.ts'
import type { AnyMethod } from './row.ts'
import * as run from './runs/run.ts'
import * as work from './runs/work.ts'
import * as brief from './seat/brief.ts'
import * as feed from './seat/feed.ts'
import * as inbox from './seat/inbox.ts'
import * as outbox from './seat/outbox.ts'
import * as search from './seat/search.ts'
import * as wait from './seat/wait.ts'

/** Every JSON-RPC method. Dispatch, validation, access, /methods, OpenRPC, CLI and docs all come from here. */
export const METHODS = [
  project.create,
  join,
  projectGet.get,
  projectOverview.list,
  projectOverview.overview,
  projectMap.map,
  projectSummary.summary,
  repo.addRepo,
  project.archive,
  repo.removeRepo,
  projectCurrent.use,
  projectCurrent.current,
  repo.release,
  repo.settle,
  contract.propose,
  contract.respond,
  contractUpdate.update,
  contractUpdate.resolve,
  contractTakenBack.withdraw,
  contractTakenBack.redact,
  contractGet.get,
  contractList.list,
  contractDiff.diff,
  contractReview.review,
  expect,
  unused,
  context.share,
  context.askQuestion,
  context.recordDecision,
  context.shareCode,
  context.shareTypes,
  contextReads.list,
  contextReads.getThread,
  context.redact,
  implementation.start,
  implementation.complete,
  implementation.verify,
  implementation.getStatus,
  gate.merged,
  gate.check,
  feed.read,
  wait.wait,
  file.share,
  file.request,
  file.list,
  file.listRequests,
  file.fulfillRequest,
  inbox.list,
  inbox.take,
  inbox.ack,
  sync.syncProject,
  sync.syncContract,
  sync.syncContext,
  sync.syncRepo,
  outbox.list,
  sync.announce,
  hub.connect,
  hub.disconnect,
  hub.init,
  hub.status,
  adp.search,
  adp.add,
  audit.list,
  identity.get,
  identity.rotate,
  peer.list,
  peer.add,
  peer.remove,
  peer.sync,
  peer.join,
  peer.approve,
  peer.revoke,
  peer.renew,
  peer.takeKey,
  invite.create,
  invite.list,
  invite.withdraw,
  token.issue,
  token.revoke,
  token.list,
  ui.sessions,
  ui.revoke,
  brief.brief,
  person.todo,
  search.search,
  projectCurrent.lookup,
  run.get,
  run.list,
  run.cancel,
  work.send,
  work.get,
  work.list,
  work.cancel,
  replication.hello,
  replication.statements,
  replication.digest,
  replication.buckets,
  replication.keys,
  replication.fetch,
] as const satisfies readonly AnyMethod[]

type Row = (typeof METHODS)[number]
export type MethodName = Row['name']
type RowOf<Name extends MethodName> = Extract<Row, { name: Name }>

/** The params that a caller may send to a method, and the result that it gets. */
export type ParamsOf<Name extends MethodName> = z.input<RowOf<Name>['params']>
export type ResultOf<Name extends MethodName> = z.output<RowOf<Name>['result']>
