import { describe, expect, test } from 'vitest'
import { discoverRepo } from '../../../src/io/place/discover-repo.ts'
import { folderWith } from '../../support/folders/folder.ts'

const origin = (url: string) =>
  `[core]\n\tbare = false\n[remote "upstream"]\n\turl = https://x/other.git\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/heads/*\n[branch "main"]\n\turl = no\n`

describe('the name of a repository', () => {
  test.each([
    ['https://github.com/acme/backend-api.git', 'backend-api'],
    ['git@github.com:acme/backend-api.git', 'backend-api'],
    ['git@host:backend-api', 'backend-api'],
    ['ssh://git@[::1]:22/acme/backend-api/', 'backend-api'],
    ['C:\\repos\\backend-api', 'backend-api'],
  ])('comes from origin: %s', async (url, name) => {
    await using folder = await folderWith({ '.git/config': origin(url) })
    expect(await discoverRepo(folder.path)).toMatchObject({ root: folder.path, repo: name })
  })

  test('is found through the .git file of a worktree', async () => {
    await using folder = await folderWith({
      'main/.git/config': origin('https://x/acme/api.git'),
      'main/.git/worktrees/feature/commondir': '../..\n',
      'feature/.git': 'gitdir: ../main/.git/worktrees/feature\n',
    })
    expect(await discoverRepo(folder.at('feature'))).toMatchObject({
      root: folder.at('feature'),
      repo: 'api',
    })
  })

  test('is found through the .git file of a submodule', async () => {
    await using folder = await folderWith({
      '.git/config': origin('https://x/acme/outer.git'),
      '.git/modules/lib/config': origin('https://x/acme/inner.git'),
      'lib/.git': 'gitdir: ../.git/modules/lib\n',
    })
    expect((await discoverRepo(folder.at('lib'))).repo).toBe('inner')
  })

  test('is that of the folder when there is no origin, or no git at all', async () => {
    await using folder = await folderWith({ 'one/.git/config': '[core]\n', 'two/': '' })
    expect((await discoverRepo(folder.at('one'))).repo).toBe('one')
    expect((await discoverRepo(folder.at('two'))).repo).toBe('two')
  })

  test('is looked for in the nearest repository upwards', async () => {
    await using folder = await folderWith({ '.git/config': origin('https://x/api'), 'a/b/': '' })
    expect(await discoverRepo(folder.at('a/b'))).toMatchObject({ root: folder.path, repo: 'api' })
  })
})

describe('language and role are guessed from the files', () => {
  test.each<[string, string, Record<string, string>]>([
    ['typescript', 'frontend', { 'package.json': '{"dependencies":{"react":"19"}}', 'tsconfig.json': '{}' }],
    ['javascript', 'frontend', { 'package.json': '{"devDependencies":{"svelte":"5"}}' }],
    ['javascript', 'backend', { 'package.json': '{"dependencies":{"express":"5"}}' }],
    ['typescript', 'mobile', { 'package.json': '{}', 'tsconfig.json': '{}', 'ios/': '', 'android/': '' }],
    ['javascript', 'shared', { 'package.json': 'not json' }],
    ['javascript', 'shared', { 'package.json': '{}', Dockerfile: '' }],
    ['python', 'backend', { 'pyproject.toml': 'dependencies = ["FastAPI>=0.1"]' }],
    ['python', 'backend', { 'requirements.txt': 'Django==5\n' }],
    ['python', 'shared', { 'setup.py': '' }],
    ['go', 'backend', { 'go.mod': 'module x' }],
    ['rust', 'backend', { 'Cargo.toml': 'axum = "1"' }],
    ['rust', 'shared', { 'Cargo.toml': '' }],
    ['java', 'backend', { 'pom.xml': '' }],
    ['java', 'backend', { 'build.gradle.kts': '' }],
    ['csharp', 'backend', { 'Api.csproj': '' }],
    ['ruby', 'backend', { Gemfile: '' }],
    ['php', 'backend', { 'composer.json': '{}' }],
    ['elixir', 'backend', { 'mix.exs': '' }],
    ['dart', 'mobile', { 'pubspec.yaml': '' }],
    ['swift', 'shared', { 'Package.swift': '' }],
    ['unknown', 'frontend', { 'index.html': '' }],
    ['unknown', 'infra', { Dockerfile: '' }],
    ['unknown', 'infra', { 'main.tf': '' }],
    ['unknown', 'infra', { 'k8s/': '' }],
    ['unknown', 'shared', { 'README.md': '' }],
  ])('%s, %s', async (language, role, files) => {
    await using folder = await folderWith(files)
    expect(await discoverRepo(folder.path)).toMatchObject({ language, role })
  })
})
