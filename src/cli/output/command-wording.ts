import { commandOf, kebab } from '../derive/kebab.ts'
import { METHOD_GROUPS } from '../derive/method-groups.ts'

/** What the daemon says to callers of its API, and what that is for people at a command line. */
const PHRASES: readonly (readonly [wire: RegExp, people: string])[] = [
  [/See the params of (\S+) in GET \/openrpc\.json or docs\/METHODS\.md/g, 'See $1 --help'],
  [/GET \/methods lists (?:all methods|them)/g, 'cacpd --help lists all commands'],
  [/Upload it first with POST \/files, which answers its sha256/g, 'Share it with cacpd file share PATH'],
  [/POST \/files, then cacp\/file\/share/g, 'cacp/file/share'],
  [/with POST \/files/g, 'with cacpd file share PATH'],
  [/\b(name (?:one|it)) in projectId\b/gi, '$1 with --project-id or --project'],
  [/in X-Agent-ID/g, 'with --agent-id'],
  [/cacp\/peer\/list/g, 'cacpd peers'],
  [/connect it with cacp\/peer\/add/g, 'connect it with cacpd invite and cacpd join'],
  [/cacp\/run\/list/g, 'cacpd runs'],
  [/wait for \{"feed":\{"since":"([^"]*)"\}\} first/g, 'first: cacpd wait feed --since $1'],
  [/(cacp\/project\/archive) \{"archived": false\}/g, '$1 --archived false'],
  [/(cacp\/inbox\/ack) \{"undo": true\}/g, '$1 ITEM --undo'],
  [/cacp\/inbox\/list \{"includeAcked": true\}/g, 'cacpd inbox --include-acked'],
  [/cacp\/invite\/create with replaces/g, 'cacpd invite --replace'],
  [/\{"(retire|restore)": true\}/g, '--$1'],
  [/(cacp\/inbox\/take) with itemId (\S+) and session /g, '$1 --item-id $2 --session '],
  [/(cacp\/contract\/update) \{"addParties": \["([^"]*)"\]\}/g, '$1 --add-parties $2'],
]

const METHOD = /\bcacp\/(?:[a-z]+\/[A-Za-z]+|wait|brief|search)\b/g
/** A method with one of its params: `cacp/contract/respond with action agree`. */
const WITH_PARAM = /(\bcacp\/[a-z]+\/[A-Za-z]+) with (action|contractId|repoName|result|keep|holder) (?=\S)/g

/** Methods whose command is another than their name says. */
const OWN_COMMANDS: Readonly<Record<string, string>> = {
  'cacp/invite/create': 'cacpd invite',
  'cacp/peer/list': 'cacpd peers',
  'cacp/peer/join': 'cacpd join',
  'cacp/project/use': 'cacpd use',
  'cacp/adp/search': 'cacpd discover',
  'cacp/adp/add': 'cacpd discover',
}

/** A message of the daemon in words of the command line. */
export function inCommandWords(text: string): string {
  return PHRASES.reduce((said, [wire, people]) => said.replaceAll(wire, people), text)
    .replaceAll(WITH_PARAM, (_match, method: string, param: string) => `${method} --${kebab(param)} `)
    .replaceAll(METHOD, commandFor)
}

function commandFor(method: string): string {
  const own = OWN_COMMANDS[method]
  if (own !== undefined) return own
  const [group, verb] = commandOf(method)
  // Those that stand alone.
  if (group === 'cacp') return `cacpd ${verb}`
  return Object.hasOwn(METHOD_GROUPS, group) ? `cacpd ${group} ${verb}` : method
}
