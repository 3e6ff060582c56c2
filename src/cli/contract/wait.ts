import { ContractStatus } from '../../protocol/words.ts'
import { command } from '../form/command.ts'
import { numberGiven, OF_CONTRACT } from '../form/options.ts'
import { TIMEOUT, waitUntil } from '../seat/wait-until.ts'

/** The shorter form of `cacpd wait contract`. */
export const wait = command({
  about:
    'Wait until a contract is agreed, or that far: exits with 0 if so, and with 3 when the time is over.',
  words: { '<contract>': 'its ID or name' },
  options: {
    ...OF_CONTRACT,
    '--status <status>': { about: 'that far, or further (default: agreed)', choices: ContractStatus.options },
    '--version-above <number>': 'a newer version than that',
    '--or-version-above <number>': 'or a newer version than that, however far it is',
    ...TIMEOUT,
  },
  examples: ["cacpd contract wait 'Get User Profile' --status implemented --timeout 600"],
  run: async (given, terminal) => {
    const { contract: contractId, projectId, status } = given
    const versionAbove = versionIn('--version-above', given.versionAbove)
    const orVersionAbove = versionIn('--or-version-above', given.orVersionAbove)
    const statusAtLeast = status ?? (versionAbove === undefined ? 'agreed' : undefined)
    const goal = { contract: { projectId, contractId, versionAbove, statusAtLeast } }
    const other = { contract: { projectId, contractId, versionAbove: orVersionAbove } }
    await waitUntil(orVersionAbove === undefined ? goal : { any: [goal, other] }, given, terminal)
  },
})

const versionIn = (option: string, text: string | undefined): number | undefined =>
  numberGiven(text, /^\d{1,9}$/, `${option}: must be the number of a version, such as 1`)
