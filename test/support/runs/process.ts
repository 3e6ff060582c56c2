import { ChangeLog } from '../../../src/engine/log/change-log.ts'
import { AccessWatch } from '../../../src/engine/peers/access-watch.ts'
import { openRuns } from '../../../src/engine/runs/open-runs.ts'
import { SearchIndex } from '../../../src/engine/search/search-index.ts'
import { createCommandAgent } from '../../../src/io/runner/command.ts'
import { openRunFiles } from '../../../src/io/runner/run-files.ts'
import { createSchemaCheck } from '../../../src/io/runner/schema-check.ts'
import { nodeDisk } from '../../../src/io/store/directory/node-disk.ts'
import { openStore } from '../../../src/io/store/open-store.ts'
import { silent } from '../../../src/io/store/store-log.ts'
import { systemClock } from '../../../src/io/system/clock.ts'
import { systemTimers } from '../../../src/io/system/timers.ts'
import { AgentSettings } from '../../../src/protocol/agent/settings.ts'
import { requestWith } from '../dialects/run-events.ts'
import { OPERATOR, TEST_RULES } from './test-runs.ts'

/** A process that has one run done, starts another of the agent's command, says what the run tells, and is there until it is killed. */
const [, , dataDir = '', stateDir = '', agent = ''] = process.argv
const { store } = await openStore({ directory: dataDir, disk: nodeDisk, clock: systemClock })
const place = { root: dataDir, dataDir, stateDir, log: silent }
const runs = await openRuns({
  store,
  index: new SearchIndex({
    store,
    log: new ChangeLog(store.statements()),
    pause: () => Promise.resolve(),
  }),
  files: openRunFiles({ directory: dataDir, disk: nodeDisk, log: silent }),
  command: await createCommandAgent({ ...place, settings: AgentSettings.parse(JSON.parse(agent)) }),
  check: createSchemaCheck(),
  clock: systemClock,
  accessWatch: new AccessWatch({ timers: systemTimers, isShutOut: () => false }),
  timers: systemTimers,
  rules: TEST_RULES,
  report: () => {},
})
const echo = requestWith({ request_id: 'done', work_type: 'echo', parameters: { text: 'before' } })
const { run: done } = await runs.start(echo, OPERATOR)
for await (const _ of runs.follow(done.run_id, OPERATOR));
const { run } = await runs.start(requestWith({ work_type: 'build' }), OPERATOR)
for await (const events of runs.follow(run.run_id, OPERATOR))
  for (const event of events) process.stdout.write(`${JSON.stringify({ ...event, run_id: run.run_id })}\n`)
