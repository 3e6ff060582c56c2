import type { Command } from 'commander'
import type { Terminal } from '../output/terminal.ts'
import { agentIdOption, idempotencyOption, withCommonOptions } from '../program/common-options.ts'
import type { AnswerFlags, SayFlags } from './say.ts'

const PROJECT = 'ID or name of the project (default: the current one, or the only one)'

/** `cacpd say` and `cacpd answer`: plain words to the other repositories. */
export function addSayCommands(program: Command, terminal: Terminal): void {
  withCommonOptions(program.command('say'))
    .description('tell the other repositories something in plain words')
    .argument('<text...>', 'what to tell')
    .option('--to <repo...>', 'above all to these, who have it in their inbox; the others see it, too')
    .option(
      '--reply-to <packet>',
      'packet that it replies to: its ID, the beginning of it, or what the question asks or the message in the inbox says',
    )
    .option('--contract <contract...>', 'IDs or names of the contracts that it is about')
    .option('--project <project>', PROJECT)
    .addOption(idempotencyOption())
    .addOption(agentIdOption())
    .addHelpText('after', SAY_EXAMPLES)
    .action(async (words: string[], flags: SayFlags) =>
      (await import('./say.ts')).say(words, flags, terminal),
    )
  withCommonOptions(program.command('answer'))
    .description('answer a question of another repository')
    .argument(
      '<question>',
      'ID of the question, the beginning of it, or what it asks, as `cacpd inbox` shows it',
    )
    .argument('<text...>', 'the answer')
    .option('--decide', 'record it as the decision, which closes the question')
    .option('--rationale <text>', 'why it was decided so')
    .option('--project <project>', PROJECT)
    .addOption(idempotencyOption())
    .addOption(agentIdOption())
    .addHelpText('after', ANSWER_EXAMPLES)
    .action(async (question: string, words: string[], flags: AnswerFlags) =>
      (await import('./say.ts')).answer(question, words, { flags, terminal }),
    )
}

const SAY_EXAMPLES = `
Examples:
  cacpd say 'The staging server is back'
  cacpd say 'Please try again' --to frontend-app --contract 'Get User Profile'`

const ANSWER_EXAMPLES = `
Examples:
  cacpd answer 3f0e7a52 'Tokens live for an hour'
  cacpd answer 'JWT or cookies?' JWT --decide --rationale 'No session to keep'`
