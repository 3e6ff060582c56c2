import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, test } from 'vitest'
import { DOCS, pageText } from './docs/pages.ts'
import { folderWith } from './support/folders/folder.ts'
import { SCENES } from './support/pictures/render.ts'

const ROOT = new URL('..', import.meta.url).pathname
const exec = promisify(execFile)

test('the packed package installs with nothing to build or run, and shows its demo', async () => {
  await using folder = await folderWith({ 'home/': '', 'elsewhere/': '', 'global/': '' })
  // The build is what is tested everywhere else too.
  const { stdout } = await exec(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder.path],
    {
      cwd: ROOT,
    },
  )
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  const tarball = folder.at(filename)
  expect(files.map(({ path }) => path).filter((path) => !/^(bin|dist|docs)\/|^[^/]+$/.test(path))).toEqual([])

  const pages = files.map(({ path }) => path).filter((path) => path.startsWith('docs/'))
  const pictures = SCENES.flatMap(({ name }) => [
    `docs/pictures/${name}-dark.png`,
    `docs/pictures/${name}-light.png`,
  ])
  const servers = ['cluster', 'server', 'users'].map((name) => `docs/hub/${name}.conf`)
  const drawings = ['docs/hub-spread.svg', 'docs/picture.svg']
  expect(pages.toSorted()).toEqual([...DOCS, ...servers, ...drawings, ...pictures].toSorted())

  const packed = await readFile(tarball)
  const buffer = packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.byteLength) as ArrayBuffer
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } })
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([])

  const prefix = folder.at('global')
  const flags = ['--no-audit', '--no-fund', '--prefer-offline']
  await exec('npm', ['install', '--global', '--prefix', prefix, ...flags, tarball], { cwd: folder.path })
  const installed = JSON.parse(
    await readFile(join(prefix, 'lib/node_modules/cacpd/package.json'), 'utf8'),
  ) as { scripts: Record<string, string>; version: string }
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(installed.scripts).not.toHaveProperty(name)

  // As in the shell of somebody who has only just installed it.
  const env = { PATH: `${join(prefix, 'bin')}:${process.env['PATH']}`, HOME: folder.at('home') }
  const cacpd = (...words: string[]) => exec('cacpd', words, { cwd: folder.at('elsewhere'), env })
  expect((await cacpd('--version')).stdout.trim()).toBe(installed.version)
  const { stdout: help } = await cacpd('help')
  for (const [topic, page] of [
    ['security', 'docs/security.md'],
    ['a2a', 'docs/protocols/a2a.md'],
    ['methods', 'docs/METHODS.md'],
  ] as const) {
    expect(help).toMatch(new RegExp(`^ {2}${topic} .+\\?$`, 'm'))
    expect((await cacpd('help', topic)).stdout).toBe(pageText(page))
  }
  const story = (await cacpd('demo', '--fast', '--json')).stdout.trim().split('\n')
  expect(JSON.parse(story.at(-1) ?? '{}')).toMatchObject({ event: 'finished', contractStatus: 'verified' })
}, 480_000)
