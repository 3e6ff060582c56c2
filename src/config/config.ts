import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { readSmallFile } from '../io/identity/private-file.ts'
import { isTrusted, type TrustedPlace } from '../io/identity/trusted.ts'
import { type Endpoint, readEndpoint } from '../io/place/data-dir.ts'
import { discoverRepo } from '../io/place/discover-repo.ts'
import { classOfHost } from '../protocol/address-class.ts'
import { aidName } from '../protocol/agent/aid.ts'
import { defined } from '../protocol/collections/defined.ts'
import { mapValues } from '../protocol/collections/map-values.ts'
import type { HubSettings } from '../protocol/hub-settings.ts'
import { canonicalText } from '../protocol/json/canonical.ts'
import { isJsonObject } from '../protocol/json/json.ts'
import { readAs } from '../protocol/read-as.ts'
import { closestTo } from '../protocol/text/closest.ts'
import { isRemoteUi } from '../protocol/ui-settings.ts'
import { objectionTo } from './exposure.ts'
import { KEYS, type Key, NEEDS_TRUST, SECRET, Settings } from './settings.ts'
import { stateDirOf } from './state-dir.ts'

/**
 * The words for a boolean in the environment. A file has to contain a real boolean, so that it does not open the
 * daemon by accident.
 */
const BOOLEAN_WORDS: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

export interface Config extends Readonly<Settings> {
  /** Absolute, like the two below. */
  readonly dataDir: string
  /** The root of the repository, where its agent's command runs. */
  readonly root: string
  /** Of this user, for all repositories. */
  readonly stateDir: string
  /** The settings that nobody gave and that were therefore guessed from the repository. */
  readonly guessed: readonly Key[]
  /**
   * The settings in the repository's own file that open the daemon to others, even if flags or variables override
   * them.
   */
  readonly opening: Readonly<Partial<Record<Key, unknown>>>
  readonly file: ConfigFile
  /** Settings that flags or variables say, so that the file does not count for them. */
  readonly overruled: readonly Key[]
  readonly renamed: Renamed | null
}

/** The file with settings, which need not be there. */
export interface ConfigFile {
  readonly path: string
  /** Whether the user named it; else it may have come with the repository. */
  readonly isNamed: boolean
}

/** The repository has another name than at the last start. */
export interface Renamed {
  readonly from: string
  /** The file with another name, which a start without the override would use again. */
  readonly overruled?: string
}

export interface ConfigSources {
  /** As parsed from the command line: settings by name, `data` and `config` are paths. */
  readonly flags: { readonly [flag in Key]?: unknown } & {
    readonly data?: string | undefined
    readonly config?: string | undefined
  }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Only shows the settings, so those that open the daemon need no approval. */
  readonly isOnlyLook?: boolean
}

/** A setting with a bad value: one line that says where it came from and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The order is flags, environment, file, then what is remembered or guessed. */
export async function loadConfig({ flags, env, cwd, isOnlyLook = false }: ConfigSources): Promise<Config> {
  for (const flag of ['data', 'config'] as const)
    if (flags[flag] === '') throw new ConfigError(`flag --${flag} is "", but must be a path`)
  const found = await discoverRepo(cwd)
  const dataDir = resolve(cwd, flags.data || env['CACP_DATA'] || join(found.root, '.cacp'))
  const named = flags.config || env['CACP_CONFIG'] || undefined
  const path = named === undefined ? join(dataDir, 'config.json') : resolve(cwd, named)
  const file = await readConfigFile({ path, isNamed: named !== undefined })

  const given: Partial<Record<Key, unknown>> = {}
  // A file that the user named explicitly did not come with the repository.
  const opening = named === undefined ? openingIn(file) : {}
  const overruled: Key[] = []
  let isOpened = false
  for (const key of KEYS) {
    const variable = variableOf(key)
    const sources = [
      { from: `flag --${inWords(key, '-')}`, value: flags[key] },
      { from: `environment ${variable}`, value: fromText(key, env[variable] || undefined) },
      { from: `${path}, key ${key},`, value: file[key] },
    ]
    const source = sources.find(({ value }) => value !== undefined)
    if (source !== undefined) given[key] = checked(key, source)
    if (source !== undefined && source !== sources.at(-1)) overruled.push(key)
    isOpened ||= key in opening && source === sources.at(-1)
  }
  const stateDir = stateDirOf(env)
  if (isOpened && !isOnlyLook) await assertTrusted(opening, { path, dataDir, stateDir })

  const remembered = await readEndpoint(dataDir)
  const repo = given.repo ?? remembered?.repo ?? found.repo
  const guesses = {
    repo,
    role: remembered?.role ?? found.role,
    language: remembered?.language ?? found.language,
    // A host or repository that was renamed since the last start keeps its agent ID, and so its pairings and claims.
    agentId: remembered?.agentId ?? defaultAgentId(String(repo)),
  }
  const settings = Settings.parse({ ...guesses, ...given })
  const objection = objectionTo(settings) ?? adpObjection(settings) ?? uiObjection(settings)
  if (objection !== undefined) throw new ConfigError(objection)
  const absolute = (path: string | null) => (path === null ? null : resolve(cwd, path))
  return {
    ...settings,
    tlsCert: absolute(settings.tlsCert),
    tlsKey: absolute(settings.tlsKey),
    hub: settings.hub && withPaths(settings.hub, (file) => resolve(cwd, file)),
    dataDir,
    root: found.root,
    stateDir,
    opening,
    file: { path, isNamed: named !== undefined },
    overruled,
    guessed: KEYS.filter((key) => key in guesses && !(key in given) && !isRemembered(key, remembered)),
    renamed: renaming(settings, remembered, { path, said: file['repo'] }),
  }
}

const isRemembered = (key: Key, before: Endpoint | undefined): boolean =>
  (key === 'role' || key === 'language') && before?.[key] !== undefined

/** The new name of the same agent; null for another agent. */
function renaming(
  { repo, agentId }: Settings,
  before: Endpoint | undefined,
  { path, said }: { path: string; said: unknown },
): Renamed | null {
  if (before === undefined || before.repo === repo || before.agentId !== agentId) return null
  return { from: before.repo, ...(said === undefined || said === repo ? {} : { overruled: path }) }
}

/** The settings of a hub, with its files as a function names them. */
function withPaths(hub: HubSettings, named: (file: string) => string): HubSettings {
  const { creds, nkey, tlsCa } = hub
  return { ...hub, ...mapValues(defined({ creds, nkey, tlsCa }), (file) => named(file)) }
}

/** The settings in a file that open the daemon to others. */
export const openingIn = (file: Readonly<Record<string, unknown>>): Partial<Record<Key, unknown>> =>
  Object.fromEntries(KEYS.filter((key) => isOpening(key, file[key])).map((key) => [key, file[key]]))

/** A setting with its default value opens nothing, and a dashboard for this machine alone does not either. */
const isOpening = (key: Key, value: unknown): boolean => {
  if (!NEEDS_TRUST.has(key) || value === undefined) return false
  if (key === 'ui') return isRemoteUi(Settings.shape.ui.safeParse(value).data ?? false)
  return canonicalText(value) !== canonicalText(Settings.shape[key].parse(undefined))
}

async function assertTrusted(opening: object, { path, ...place }: TrustedPlace & { path: string }) {
  if (await isTrusted('opening', opening, place)) return
  throw new ConfigError(
    `${path} lets others in (${Object.keys(opening).join(', ')}), which a repository cannot decide for this machine: look at it and allow it with \`cacpd config trust\`, or say it in flags or variables instead`,
  )
}

/** Variables that the daemon sets for agent commands; a command may pass them on to a daemon that it starts. */
const TOLD_TO_COMMANDS = ['CACP_REQUEST_FILE', 'CACP_RUN_ID', 'CACP_WORK_TYPE']

/** Variables that look like settings but are none, each with the most similar setting. */
export function unknownVariables(env: ConfigSources['env']): { name: string; closest: string }[] {
  const known = [
    'CACP_DATA',
    'CACP_CONFIG',
    'CACP_INVITE',
    'CACP_SESSION',
    ...TOLD_TO_COMMANDS,
    ...KEYS.map(variableOf),
  ]
  return Object.keys(env)
    .filter((name) => name.startsWith('CACP_') && !known.includes(name))
    .map((name) => ({ name, closest: closestTo(name, known) ?? '' }))
}

export const variableOf = (key: Key): string => `CACP_${inWords(key, '_').toUpperCase()}`

const fromText = (key: Key, text: string | undefined): unknown =>
  isTruth(key) && text !== undefined && Object.hasOwn(BOOLEAN_WORDS, text) ? BOOLEAN_WORDS[text] : text

const isTruth = (key: Key): boolean => Settings.shape[key].description === Settings.shape.open.description

function checked(key: Key, { from, value }: { from: string; value: unknown }): unknown {
  const setting = Settings.shape[key]
  return readAs(setting, value, () => {
    const shown = SECRET.has(key) ? 'malformed' : JSON.stringify(value)
    return new ConfigError(`${from} is ${shown}, but must be ${setting.description}`)
  })
}

export async function readConfigFile({
  path,
  isNamed,
}: ConfigFile): Promise<Readonly<Record<string, unknown>>> {
  let content: unknown
  try {
    // A file that the user named may be a pipe of the shell; one that was found must not block.
    content = JSON.parse(await (isNamed ? readFile(path, 'utf8') : readSmallFile(path)))
  } catch (error) {
    if (error instanceof SyntaxError) throw new ConfigError(`${path} is not JSON`)
    const { code } = error as NodeJS.ErrnoException
    // A data directory that is a file is reported when the store is opened.
    if (!isNamed && (code === 'ENOENT' || code === 'ENOTDIR')) return {}
    throw new ConfigError(`${path} cannot be read (${code})`)
  }
  if (!isJsonObject(content)) throw new ConfigError(`${path} must hold one JSON object of settings`)
  const unknown = Object.keys(content).find((key) => !KEYS.some((known) => known === key))
  if (unknown === undefined) return content
  throw new ConfigError(
    `${path} has the unknown key ${JSON.stringify(unknown)}; known are ${KEYS.join(', ')}`,
  )
}

const defaultAgentId = (repo: string): string =>
  `aid://${aidName(hostname(), 'localhost')}/${aidName(repo, 'repo')}@1.0.0`

/** `agentId` as two words, as flags and variables write it. */
const inWords = (key: string, separator: string): string =>
  key.replace(/[A-Z]/g, (capital) => separator + capital.toLowerCase())

/** People at other machines need a name for this one, which has TLS. */
function uiObjection({ ui, publicUrl }: Settings): string | undefined {
  if (!isRemoteUi(ui) || publicUrl !== null) return undefined
  return 'ui: {"remote": true} lets people at other machines in: say by which URL they reach this daemon, with --public-url https://NAME:PORT'
}

/** Options that need an exchange are refused without one, as is an exchange over plain HTTP on another machine. */
function adpObjection({ adpExchange, registerAdp, requireAdp, allowKnown }: Settings) {
  const wishes = { '--register-adp': registerAdp, '--require-adp': requireAdp, '--allow-known': allowKnown }
  const [wish] = Object.entries(wishes).flatMap(([flag, isSet]) => (isSet ? [flag] : []))
  if (adpExchange === null)
    return wish === undefined ? undefined : `${wish} needs an exchange: name it with --adp-exchange URL`
  const { protocol, hostname: host } = new URL(adpExchange)
  if (protocol === 'https:' || classOfHost(host) === 'loopback') return undefined
  return '--adp-exchange: plain http is only taken to this machine; use the https address that the exchange printed'
}
