import { command } from '../form/command.ts'
import { AGENT_ID, PROJECT } from '../form/options.ts'
import { UsageError } from '../program/report.ts'
import { TIMEOUT, waitUntil } from './wait-until.ts'

export const CONTRACT_STATUSES = ['proposed', 'negotiating', 'agreed', 'implemented', 'verified'] as const

const WAITING = { ...TIMEOUT, ...AGENT_ID }

const INBOX = 'cacpd wait inbox --timeout 0'
const CONTRACT = "cacpd wait contract --contract 'Get User Profile' --status agreed"
const ANY = `cacpd wait any '{"inbox":{}}' '{"project":{"projectId":"User Auth Feature","status":"complete"}}'`

const contract = command({
  about: 'a contract is that far, or has a newer version',
  options: {
    ...WAITING,
    ...PROJECT,
    '--contract <contract>': { about: 'ID or name of the contract', required: true },
    '--status <status>': { about: 'that far, or further', choices: CONTRACT_STATUSES },
    '--version-above <number>': 'a newer version than that',
  },
  examples: [CONTRACT],
  run: (given, terminal) => {
    const { project: projectId, contract: contractId, status: statusAtLeast } = given
    const versionAbove = given.versionAbove === undefined ? undefined : Number(given.versionAbove)
    const until = { contract: { projectId, contractId, statusAtLeast, versionAbove } }
    return waitUntil(until, given, terminal)
  },
})

const question = command({
  about: 'a question is answered',
  options: {
    ...WAITING,
    ...PROJECT,
    '--packet <packet>': { about: 'the question: its ID, or what it asks', required: true },
  },
  examples: ['cacpd wait question --packet 3f0e7a52-9d1c-4b6e-8a27-5c1d9e40b7f3'],
  run: (given, terminal) => {
    const { project: projectId, packet: packetId } = given
    return waitUntil({ question: { projectId, packetId } }, given, terminal)
  },
})

const project = command({
  about: 'a project is that far, or further',
  options: {
    ...WAITING,
    ...PROJECT,
    '--status <status>': {
      about: 'that far',
      choices: ['planning', 'implementing', 'integrating', 'complete'],
      required: true,
    },
  },
  examples: ["cacpd wait project --project 'User Auth Feature' --status integrating"],
  run: (given, terminal) => {
    const { project: projectId, status } = given
    return waitUntil({ project: { projectId, status } }, given, terminal)
  },
})

const inbox = command({
  about: 'there is something for this repository to do',
  options: WAITING,
  examples: [INBOX],
  run: (given, terminal) => waitUntil({ inbox: {} }, given, terminal),
})

const feed = command({
  about: 'something changed',
  options: {
    ...WAITING,
    '--since <cursor>': 'since then; a cursor as `cacpd feed --json` answers it (default: now)',
  },
  examples: ['cacpd wait feed --timeout 300'],
  run: (given, terminal) => waitUntil({ feed: { since: given.since } }, given, terminal),
})

const any = command({
  about: 'the first of several is true, each as JSON like `until` of cacp/wait',
  words: { '<condition...>': 'such as \'{"inbox":{}}\'' },
  options: WAITING,
  examples: [ANY],
  run: (given, terminal) => waitUntil({ any: given.condition.map(conditionFrom) }, given, terminal),
})

function conditionFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${text}: is no JSON`, `For example ${ANY}`)
  }
}

export const wait = command({
  about: 'wait until something is true: exits with 0 if so, and with 3 when the time is over',
  examples: [INBOX, `${CONTRACT} && npm test`],
  commands: { contract, question, project, inbox, feed, any },
})
