import { paint } from '../output/paint.ts'
import type { Terminal } from '../output/terminal.ts'

/** What people want to do, and the commands for it. A test sees that each command has its place. */
const WISHES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Begin: {
    demo: 'watch two repositories work out a contract',
    init: 'set up the coding agents of this repository, or undo it',
    'up, down, logs': 'run the daemon; up -d in the background',
    'ui, status, doctor': 'see and act in a browser; how it is doing; what is wrong',
  },
  'Connect repositories': {
    'invite, join': 'let another daemon in, once; use such an invite',
    'peers, outbox, hub': 'who is connected; what has not arrived; over a server',
  },
  'Work together': {
    'inbox, person, say, answer': 'what there is to do here; a word to others',
    'brief, summary, use': 'how things stand: for a model, on a page; which project',
    'wait, watch, feed': 'until another repository has acted; what changes',
    'project, contract, context, implementation, file, repo': 'all that is shared',
    'mock, types, verify, can-i-merge, gate': 'before it is built; does it fit; merge',
    'search, work, runs': 'find by words; give work to others; what ours has to do',
  },
  'Look after it': {
    'start, service': 'run the daemon in this terminal; at every login',
    'mcp, hook': 'what coding agents run; init sets them up',
    'key, token, audit': 'what callers are let in by; who came in',
    'identity, config': 'by what peers know this daemon; what settings may do',
    'discover, exchange': 'find the agents of a team (ADP)',
    'call, rpc, completion': 'any method by its name; all of them; for your shell',
  },
}

const COLUMN = 20

/** `cacpd --help`: one screen, by what a person wants to do. */
export function rootHelp(terminal: Pick<Terminal, 'colour'>): string {
  const line = ([commands, about]: [string, string]) => `  ${commands.padEnd(COLUMN)}  ${about}`
  const wishes = Object.entries(WISHES).map(([wish, lines]) =>
    [paint('bold', wish, terminal), ...Object.entries(lines).map(line)].join('\n'),
  )
  return `cacpd coordinates the coding agents of several repositories (CACP 2.0).
Usage: cacpd [-C FOLDER] [COMMAND]   COMMAND --help: its options; help: pages
${wishes.join('\n')}
`
}
