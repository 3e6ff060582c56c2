import { dataDirectory } from '../form/options.ts'

/** What all that listens can be told. */
export const LISTENING = {
  '--host <host>': 'address to listen at; others than loopback need --public-url (default: 127.0.0.1)',
  '--public-url <url>': 'https URL by which other machines reach it',
  '--tls-cert <file>': 'certificate chain in PEM (default: one of our own, where it is needed)',
  '--tls-key <file>': 'its key in PEM',
  '--json': 'print one JSON line when listening',
  '--log-level <level>': 'fatal, error, warn, info, debug, trace or silent (default: info)',
} as const

/** What a daemon can be told at its start, in the foreground and in the background. */
export const START_OPTIONS = {
  '--repo <name>': 'name of this repository (default: from the git remote, or the folder)',
  '--role <role>': 'backend, frontend, mobile, shared, infra, … (default: guessed from the files)',
  '--language <language>': 'main language (default: guessed from the files)',
  '--agent-id <aid>': 'who local callers act as (default: made of host and repository)',
  ...LISTENING,
  '--port <port>': 'port; 0 for any free one (default: the last one, or the first free from 8080)',
  ...dataDirectory('data directory (default: .cacp in the repository)'),
  '--new-data': 'go on although the data directory that this repository had is gone, or is another one',
  '--open': 'let callers on this machine in without a key',
  '--adp-exchange <url>': 'ADP exchange to find agents with; without one nothing is called',
  '--register-adp': 'register there at every start, and keep that up',
  '--require-adp': 'the same, and do not start if that fails',
  '--allow-known': 'let agents read that are registered there and prove it, without a key',
  '--config <file>': 'settings (default: config.json in the data directory)',
} as const
