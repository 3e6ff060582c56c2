/**
 * What the Chiffon agent protocol 1.0 demands, in our words; cited as `[chiffon-envelope-1]` by the tests.
 */
export const CHIFFON_REQUIREMENTS = {
  'chiffon-envelope-1':
    'Every message is an envelope with version, message id, both agents, time, trace id, request id, type and payload',
  'chiffon-envelope-2': 'Ids are UUIDs and times are ISO 8601',
  'chiffon-envelope-3': 'Agents are orchestrator, infra, desktop, code or research',
  'chiffon-envelope-4': 'Custom fields are taken and come back',
  'chiffon-request-1': 'A work_request has a task id, a work type, parameters and hints, and starts the work',
  'chiffon-status-1':
    'A work_status has task id, status, progress from 0 to 100 and a step with number, name, output',
  'chiffon-status-2': 'A status is running, step_completed or paused',
  'chiffon-status-3': 'Statuses are sent again and again while the work goes on',
  'chiffon-result-1': 'A work_result has status success or failed, exit code, output and the resources used',
  'chiffon-result-2': 'There is exactly one work_result per work, and nothing after it',
  'chiffon-result-3': 'The exit code is 0 for success and above 0 for failure',
  'chiffon-error-1': 'An error has a code from 5001 to 5999, a message and a context',
  'chiffon-error-2': '5001 tells how often it was tried and when last',
  'chiffon-error-3': '5002 names the agent and when it was last heard of',
  'chiffon-error-4': '5003 says what is wrong and names the field',
  'chiffon-error-5': '5004 names the agent and what is wrong with its token',
  'chiffon-error-6': '5005 names the limit, what is available and what is required',
  'chiffon-error-7': '5006 names the type of work and the types that are done',
  'chiffon-timeout-1': 'An agent that says nothing for 30 seconds is taken for hung',
  'chiffon-timeout-2': 'The hint max_duration_seconds allows more',
  'chiffon-breaker-1': 'After five failures in a row no new work goes to an agent for 60 seconds',
  'chiffon-breaker-2': 'Work under way goes on meanwhile',
  'chiffon-breaker-3': 'After that its health is looked at before anything is sent',
  'chiffon-retry-1': 'A message is sent up to four times, after 0, 1, 2 and 4 seconds',
  'chiffon-retry-2': 'Only 5001, 5002 and 5005 are tried again',
  'chiffon-retry-3':
    'A retry has the same request id, and finds the cached result instead of doing the work again',
  'chiffon-chunk-1': 'An output of more than 1 MiB comes in chunks of 256 KiB that say which bytes they are',
  'chiffon-chunk-2': 'Chunks are put together again',
  'chiffon-version-1': 'The supported versions are registered, and the lowest common one is used',
  'chiffon-version-2': 'A message of another version is answered with 5006',
  'chiffon-auth-1': 'The bearer token is checked on every message; a bad one is 5004 and is not tried again',
  'chiffon-auth-2':
    'Tokens of 32 characters come from environment or configuration and are never logged or shown',
  'chiffon-trace-1': 'The trace id of the request is on every message about it',
} as const
