/** What stands behind an option, so that a shell can offer it. */
export type Offered = 'project' | 'contract' | 'packet' | 'repo' | 'peer' | 'item' | 'question'

/** By the option that names it, whatever the command. A test holds them and the params of all methods together. */
export const NAMED_OPTIONS: Readonly<Record<Exclude<Offered, 'question'>, readonly string[]>> = {
  project: ['--project-id', '--project'],
  contract: ['--contract-id', '--contract', '--contracts', '--related-contracts', '--depends-on'],
  packet: ['--packet-id', '--packet', '--packets', '--reply-to'],
  repo: ['--repo-name', '--repo', '--repos', '--parties', '--add-parties', '--blames', '--with'],
  peer: ['--peer', '--to', '--agent', '--replaces', '--replace'],
  item: ['--item-id'],
}

/** The same where an option names something else than in other commands. */
export const NAMED_AT: Readonly<Record<string, Offered>> = {
  'cacpd say --to': 'repo',
  'cacpd context share --to': 'repo',
}

/** The same by the name of a command's first argument. */
export const NAMED_ARGUMENTS: Readonly<Record<string, Offered>> = {
  project: 'project',
  contract: 'contract',
  peer: 'peer',
  item: 'item',
  question: 'question',
}
