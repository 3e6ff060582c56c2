import type { GroupForm } from '../derive/method-form.ts'
import type { CommandForm } from '../form/command.ts'

/**
 * The words behind `cacpd` that are more than the methods of a group, each with its form. A form is loaded when its
 * word is given, so that help and errors come at once.
 */
export const COMMANDS: Readonly<Record<string, () => Promise<CommandForm>>> = {
  start: async () => (await import('../daemon/start.ts')).start,
  up: async () => (await import('../daemon/background.ts')).up,
  down: async () => (await import('../daemon/background.ts')).down,
  logs: async () => (await import('../daemon/logs.ts')).logs,
  service: async () => (await import('../daemon/service.ts')).service,
  doctor: async () => (await import('../doctor/doctor.ts')).doctor,
  'first-run': async () => (await import('../daemon/first-run.ts')).firstRun,
  supervise: async () => (await import('../daemon/background.ts')).superviseCommand,
  demo: async () => (await import('../demo/demo.ts')).demo,
  hook: async () => (await import('../setup/hook-command.ts')).hookCommand,
  init: async () => (await import('../setup/init.ts')).init,
  status: async () => (await import('../daemon/status.ts')).status,
  key: async () => (await import('../daemon/key.ts')).key,
  call: async () => (await import('../derive/call.ts')).call,
  invite: async () => (await import('../peers/pairing.ts')).invite,
  join: async () => (await import('../peers/pairing.ts')).join,
  brief: async () => (await import('../seat/brief.ts')).brief,
  summary: async () => (await import('../seat/summary.ts')).summary,
  search: async () => (await import('../seat/search.ts')).search,
  wait: async () => (await import('../seat/wait.ts')).wait,
  watch: async () => (await import('../seat/watch.ts')).watch,
  say: async () => (await import('../seat/say.ts')).say,
  answer: async () => (await import('../seat/say.ts')).answer,
  use: async () => (await import('../seat/use.ts')).use,
  mock: async () => (await import('../proof/mock.ts')).mock,
  verify: async () => (await import('../proof/verify.ts')).verify,
  'can-i-merge': async () => (await import('../proof/can-i-merge.ts')).canIMerge,
  types: async () => (await import('../proof/types.ts')).types,
  config: async () => (await import('../daemon/config-trust.ts')).config,
  mcp: async () => (await import('../setup/mcp.ts')).mcp,
  ui: async () => (await import('../ui/ui.ts')).ui,
  discover: async () => (await import('../peers/discover.ts')).discover,
  completion: async () => (await import('./completion.ts')).completion,
  exchange: async () => (await import('../daemon/exchange.ts')).exchange,
}

/** The groups of methods that have more than the commands that follow from the methods' rows. */
export const GROUPS: Readonly<Record<string, () => Promise<GroupForm>>> = {
  contract: async () => (await import('../contract/contract.ts')).contract,
  file: async () => (await import('../work/file.ts')).file,
  hub: async () => (await import('../peers/hub.ts')).hub,
  inbox: async () => (await import('../seat/inbox.ts')).inbox,
  outbox: async () => (await import('../seat/outbox.ts')).outbox,
  person: async () => (await import('../seat/person.ts')).person,
  peers: async () => (await import('../peers/peers.ts')).peers,
  runs: async () => (await import('../work/runs.ts')).runs,
  token: async () => (await import('../peers/token.ts')).token,
  work: async () => (await import('../work/work.ts')).work,
}

/** Commands that other programs give: what `cacpd` alone does, what `cacpd up -d` leaves running. */
export const HIDDEN_COMMANDS: ReadonlySet<string> = new Set(['first-run', 'supervise'])
