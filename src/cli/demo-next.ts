import { LAUNCHER } from '../io/demo-daemon.ts'
import type { Play } from './demo-play.ts'
import { PROJECT, REPOSITORIES } from './demo-script.ts'
import { paint } from './paint.ts'
import type { Terminal } from './terminal.ts'

/** After a demo that is kept: where it is, what to try there, and how to end it. */
export function lookAround({ folder, pids }: Play, terminal: Terminal): string {
  // From the folders of the demo a path that leads there from here leads nowhere.
  const self = terminal.self === 'cacpd' ? 'cacpd' : `node ${LAUNCHER}`
  const heading = (text: string) => paint('bold', text, terminal)
  return `
${heading('Both daemons still run. Look around:')}
  cd ${folder}/${REPOSITORIES.backend.name}
  ${self} status
  ${self} project list
  ${self} peers
  ${self} invite --project '${PROJECT.name}'     # a third repository
  cd ${folder}/${REPOSITORIES.frontend.name}     # the same from the other side

${heading('End it:')}
  kill ${pids.join(' ')} && rm -r ${folder}
`
}

/** After a demo that is gone: how to see more of it, and how to begin. */
export function whatNext(terminal: Terminal): string {
  const heading = (text: string) => paint('bold', text, terminal)
  return `Both daemons have ended, and their folders are gone.

${heading('Keep them, to look around:')}
  ${terminal.self} demo --keep
${heading('Begin in a repository of yours:')}
  ${terminal.self} start
`
}
