/** The names in the root of a repository, and the text of the files that list dependencies. */
export interface Traces {
  readonly names: ReadonlySet<string>
  readonly manifests: ReadonlyMap<string, string>
}

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

export function guessLanguage({ names }: Traces): string {
  if (names.has('package.json')) return names.has('tsconfig.json') ? 'typescript' : 'javascript'
  const row = LANGUAGES.find(([, files]) => some(names, files))
  return row === undefined ? 'unknown' : row[0]
}

export function guessRole({ names, manifests }: Traces, language: string): string {
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

function npmPackages(manifest: string | undefined): ReadonlySet<string> {
  try {
    const parsed = JSON.parse(manifest ?? '{}') as Record<string, Record<string, string> | undefined> | null
    return new Set(Object.keys({ ...parsed?.['dependencies'], ...parsed?.['devDependencies'] }))
  } catch {
    return new Set()
  }
}
