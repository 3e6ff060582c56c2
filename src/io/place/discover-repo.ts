import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { jsonIn } from '../../protocol/json/in.ts'
import { readSmallFile } from '../identity/private-file.ts'
import { exists } from '../system/exists.ts'

/** What the files of a repository suggest about it. These are guesses; every one can be overridden. */
export async function discoverRepo(cwd: string) {
  const { root } = await findRoot(cwd)
  const traces = await readTraces(root)
  const language = guessLanguage(traces)
  return {
    root,
    repo: (await originName(root)) ?? (basename(root) || 'repo'),
    role: guessRole(traces, language),
    language,
  }
}

export interface Root {
  /** The nearest folder upwards with a `.git`, or `cwd` itself. */
  readonly root: string
  /** Whether a `.git` was found; otherwise `root` is only the folder that the search began in. */
  readonly isRepository: boolean
}

export async function findRoot(cwd: string): Promise<Root> {
  const start = resolve(cwd)
  for (let folder = start; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return { root: folder, isRepository: true }
    if (folder === dirname(folder)) return { root: start, isRepository: false }
  }
}

/** The last segment of origin's URL, read from git's own files, so that git need not be installed. */
async function originName(root: string): Promise<string | undefined> {
  const config = await readText(join(await sharedGitFolder(root), 'config'))
  const origin = /^\s*\[remote "origin"\].*((?:\r?\n(?!\s*\[).*)*)/m.exec(config ?? '')?.[1]
  const url = /^\s*url\s*=\s*(.+?)\s*$/m.exec(origin ?? '')?.[1]
  const name = url
    ?.replace(/[/\\]+$/, '')
    .replace(/\.git$/, '')
    .split(/[/\\:]/)
    .at(-1)
  return name === '' ? undefined : name
}

/** The folder with git's `config`, which worktrees share. */
async function sharedGitFolder(root: string): Promise<string> {
  const folder = await gitFolderOf(root)
  const shared = (await readText(join(folder, 'commondir')))?.trim()
  return shared === undefined ? folder : resolve(folder, shared)
}

/** The git folder of this worktree. In worktrees and submodules `.git` is a file with the path of it. */
export async function gitFolderOf(root: string): Promise<string> {
  const dotGit = join(root, '.git')
  const pointer = /^gitdir: (.+?)\s*$/m.exec((await readText(dotGit)) ?? '')?.[1]
  return pointer === undefined ? dotGit : resolve(root, pointer)
}

const MANIFESTS = [
  'package.json',
  'pyproject.toml',
  'requirements.txt',
  'setup.py',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Gemfile',
  'composer.json',
  'mix.exs',
]

async function readTraces(root: string) {
  const names = new Set<string>(await readdir(root).catch(() => []))
  const manifests = new Map<string, string>()
  for (const name of MANIFESTS) {
    const text = names.has(name) ? await readText(join(root, name)) : undefined
    if (text !== undefined) manifests.set(name, text)
  }
  return { names, manifests }
}

/** Undefined when the file cannot be read: the guess then has less to go by. */
const readText = (path: string): Promise<string | undefined> => readSmallFile(path).catch(() => undefined)

/** The names in the root of a repository, and the text of the files that list dependencies. */
type Traces = Awaited<ReturnType<typeof readTraces>>

/** The first row with a matching file wins, so the more specific ones come first. */
const LANGUAGES: readonly (readonly [language: string, files: RegExp])[] = [
  ['python', /^(pyproject\.toml|requirements\.txt|setup\.py)$/],
  ['go', /^go\.mod$/],
  ['rust', /^Cargo\.toml$/],
  ['java', /^(pom\.xml|build\.gradle(\.kts)?)$/],
  ['csharp', /\.(csproj|sln)$/],
  ['ruby', /^Gemfile$/],
  ['php', /^composer\.json$/],
  ['elixir', /^mix\.exs$/],
  ['dart', /^pubspec\.yaml$/],
  ['swift', /^Package\.swift$/],
]

const SERVER_LANGUAGES: ReadonlySet<string> = new Set(['go', 'java', 'csharp', 'ruby', 'php', 'elixir'])

const FRONTEND_PACKAGES = ['react', 'vue', 'svelte', '@angular/core', 'next', 'nuxt', 'solid-js', 'preact']
const SERVER_PACKAGES = ['express', 'fastify', 'koa', 'hono', '@hapi/hapi', '@nestjs/core']
const SERVER_FRAMEWORKS = /\b(django|flask|fastapi|starlette|aiohttp|tornado|actix-web|axum|rocket|warp)\b/i

function guessLanguage({ names }: Traces): string {
  if (names.has('package.json')) return names.has('tsconfig.json') ? 'typescript' : 'javascript'
  const row = LANGUAGES.find(([, files]) => some(names, files))
  return row === undefined ? 'unknown' : row[0]
}

function guessRole({ names, manifests }: Traces, language: string): string {
  const packages = npmPackages(manifests.get('package.json'))
  const uses = (list: readonly string[]) => list.some((name) => packages.has(name))
  if (some(names, /^(android|ios|pubspec\.yaml)$/) || packages.has('react-native')) return 'mobile'
  if (uses(FRONTEND_PACKAGES) || names.has('index.html')) return 'frontend'
  if (uses(SERVER_PACKAGES) || SERVER_LANGUAGES.has(language)) return 'backend'
  if ([...manifests.values()].some((text) => SERVER_FRAMEWORKS.test(text))) return 'backend'
  // Next to code these only say how it is deployed; alone they are the purpose of the repository.
  if (language === 'unknown' && some(names, /^(Dockerfile|terraform|helm|k8s|Chart\.yaml)$|\.tf$/))
    return 'infra'
  return 'shared'
}

function some(names: ReadonlySet<string>, pattern: RegExp): boolean {
  for (const name of names) if (pattern.test(name)) return true
  return false
}

function npmPackages(manifest = ''): ReadonlySet<string> {
  const { dependencies, devDependencies } = Object(jsonIn(manifest)) as Record<string, object | undefined>
  return new Set(Object.keys({ ...dependencies, ...devDependencies }))
}
