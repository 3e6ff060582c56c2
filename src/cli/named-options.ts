/** What stands behind an option, so that a shell can offer it. */
export type Offered = 'project' | 'contract' | 'packet' | 'repo' | 'peer' | 'item'

/** By the option that names it, whatever the command. A test holds them and the params of all methods together. */
export const NAMED_OPTIONS: Readonly<Record<Offered, readonly string[]>> = {
  project: ['--project-id', '--project'],
  contract: ['--contract-id', '--contract', '--contracts', '--related-contracts', '--depends-on'],
  packet: ['--packet-id', '--packet', '--packets', '--reply-to'],
  repo: ['--repo-name', '--repo', '--repos', '--parties', '--add-parties', '--blames'],
  peer: ['--peer', '--to', '--agent', '--replaces', '--replace'],
  item: ['--item-id'],
}

/** The same for what a command takes without an option. */
export const NAMED_ARGUMENTS: Readonly<Record<string, Offered>> = {
  'cacpd use': 'project',
  'cacpd summary': 'project',
  'cacpd answer': 'item',
  'cacpd inbox ack': 'item',
  'cacpd peers approve': 'peer',
  'cacpd peers revoke': 'peer',
  'cacpd peers renew': 'peer',
  'cacpd peers remove': 'peer',
  'cacpd peers sync': 'peer',
  'cacpd work send': 'peer',
}
