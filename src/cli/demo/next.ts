import { ownCommand } from '../../io/place/own-command.ts'
import { shellLine } from '../../setup/service/shell-line.ts'
import { paint } from '../output/paint.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Play } from './play.ts'
import { PROJECT, REPOSITORIES } from './script.ts'

/** After a demo that is kept: where it is, what to try there, and how to end it. */
export async function lookAround(
  { folder, pids }: Pick<Play, 'folder' | 'pids'>,
  terminal: Pick<Terminal, 'env' | 'colour'>,
): Promise<string> {
  // From the folders of the demo, not from here.
  const { command, args } = await ownCommand(terminal.env)
  const line = (...words: string[]) => shellLine(words, process.platform === 'win32')
  const self = line(command, ...args)
  const heading = (text: string) => paint('bold', text, terminal)
  return `
${heading('All daemons still run. Look around:')}
  ${line('cd', `${folder}/${REPOSITORIES.backend.name}`)}
  ${self} ui          # the dashboard: a contract, a conflict, a question and a daemon wait for you
  ${self} status
  ${self} project list
  ${self} inbox
  ${self} peers
  ${self} invite --project '${PROJECT.name}'     # a third repository
  ${line('cd', `${folder}/${REPOSITORIES.frontend.name}`)}     # the same from the other side

${heading('End it:')}
  kill ${pids.join(' ')} && ${line('rm', '-r', folder)}
`
}

/** After a demo that is gone: how to see more of it, and how to begin. */
export function whatNext(terminal: Terminal): string {
  const heading = (text: string) => paint('bold', text, terminal)
  return `Both daemons have ended, and their folders are gone.

${heading('Keep them, to look around:')}
  ${terminal.self} demo --keep
${heading('Begin in a repository of yours:')}
  ${terminal.self} init      # connects your coding agents; --remove takes it back
  ${terminal.self} up -d     # its daemon, in the background
`
}
