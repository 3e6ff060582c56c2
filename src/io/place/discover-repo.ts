import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { readSmallFile } from '../identity/private-file.ts'
import { guessLanguage, guessRole, type Traces } from './guess-stack.ts'

export interface DiscoveredRepo {
  /** The nearest folder upwards with a `.git`, or the one we started from. */
  readonly root: string
  readonly repo: string
  readonly role: string
  readonly language: string
}

/** What the files say about the repository around a folder. Guesses only: every one can be overridden. */
export async function discoverRepo(cwd: string): Promise<DiscoveredRepo> {
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
  readonly root: string
  /** Whether git knows it; else it is only the folder that we started from. */
  readonly isRepository: boolean
}

export async function findRoot(cwd: string): Promise<Root> {
  const start = resolve(cwd)
  for (let folder = start; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return { root: folder, isRepository: true }
    if (folder === dirname(folder)) return { root: start, isRepository: false }
  }
}

/** The last segment of origin's URL, read from git's own files: git need not be installed. */
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

/** Where git keeps `config`, which worktrees share. */
async function sharedGitFolder(root: string): Promise<string> {
  const folder = await gitFolderOf(root)
  const shared = (await readText(join(folder, 'commondir')))?.trim()
  return shared === undefined ? folder : resolve(folder, shared)
}

/** What git keeps of this worktree alone. In worktrees and submodules `.git` is a file that says where to look. */
export async function gitFolderOf(root: string): Promise<string> {
  const dotGit = join(root, '.git')
  const pointer = /^gitdir: (.+?)\s*$/m.exec((await readText(dotGit)) ?? '')?.[1]
  return pointer === undefined ? dotGit : resolve(root, pointer)
}

/** Files that name a project's dependencies. */
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

async function readTraces(root: string): Promise<Traces> {
  const names = new Set(await readdir(root).catch(() => []))
  const manifests = new Map<string, string>()
  for (const name of MANIFESTS) {
    const text = names.has(name) ? await readText(join(root, name)) : undefined
    if (text !== undefined) manifests.set(name, text)
  }
  return { names, manifests }
}

/** Undefined when there is nothing readable: a guess then simply knows less. */
const readText = (path: string): Promise<string | undefined> => readSmallFile(path).catch(() => undefined)

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
