import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { launchdPlist, madeFor, systemdUnit } from '../../../src/setup/service/unit.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'
import { cacpd } from '../captured-terminal.ts'

const MANAGERS = ['systemd', 'launchd'] as const

async function contentsOf(folder: Folder): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for (const entry of await readdir(folder.path, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    contents[path] = entry.isDirectory() ? 'folder' : await readFile(path, 'utf8')
  }
  return contents
}

describe.each(MANAGERS)('a service of %s', (manager) => {
  const run = (word: string, folder: Folder, ...flags: string[]) =>
    cacpd(['service', word, '--manager', manager, '--json', ...flags], {
      cwd: folder.at('api'),
      env: { HOME: folder.path, PATH: '/usr/bin' },
    })

  test.each([
    { name: 'an empty home', files: {} },
    {
      name: 'a home with services',
      files: { '.config/systemd/user/x.service': 'x', 'Library/LaunchAgents/': '' },
    },
  ])('comes and goes without a trace in $name', async ({ files }) => {
    await using folder = await folderWith({ 'api/.git/': '', ...files })
    const before = await contentsOf(folder)
    const plan = JSON.parse((await run('install', folder, '--dry-run')).out)
    expect(await contentsOf(folder)).toEqual(before)

    expect(JSON.parse((await run('install', folder)).out)).toEqual({ ...plan, dryRun: false })
    const installed = await contentsOf(folder)
    expect(installed[plan.path]).toBe(plan.text)
    expect(plan.text).toContain(folder.at('api/.cacp'))
    expect(JSON.parse((await run('install', folder)).out)).toMatchObject({ change: 'as it was' })
    expect(await contentsOf(folder)).toEqual(installed)

    expect(JSON.parse((await run('remove', folder)).out)).toEqual({ removed: plan.path })
    expect(await contentsOf(folder)).toEqual(before)
    expect(await run('remove', folder)).toMatchObject({ exitCode: 0, out: '{"removed":null}\n' })
  })

  test('replaces and removes nothing that somebody else wrote', async () => {
    await using folder = await folderWith({ 'api/.git/': '' })
    const { path } = JSON.parse((await run('install', folder)).out)
    await writeFile(path, 'mine')
    for (const word of ['install', 'remove'])
      expect(await run(word, folder)).toMatchObject({
        exitCode: 1,
        out: expect.stringContaining('was not written by'),
      })
    expect(await readFile(path, 'utf8')).toBe('mine')
  })

  test('cannot be written to a home that is read-only, which is said with another way', async () => {
    await using folder = await folderWith({ 'api/.git/': '', '.config': 'a file', Library: 'a file' })
    const { exitCode, out } = await run('install', folder)
    expect(exitCode).toBe(1)
    expect(JSON.parse(out).error).toMatchObject({
      message: expect.stringMatching(/cannot be written \(ENOTDIR|EEXIST\)/),
      next: expect.stringContaining('`cacpd up -d`'),
    })
  })
})

test('a service that systemd still starts is not taken from under it', async () => {
  await using folder = await folderWith({ 'api/.git/': '' })
  const place = { cwd: folder.at('api'), env: { HOME: folder.path, PATH: '/usr/bin' } }
  const { path, name } = JSON.parse(
    (await cacpd(['service', 'install', '--manager', 'systemd', '--json'], place)).out,
  )
  const wants = join(path, '..', 'default.target.wants')
  await mkdir(wants)
  await writeFile(join(wants, `${name}.service`), '')
  expect(await cacpd(['service', 'remove', '--manager', 'systemd'], place)).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining(`systemctl --user disable --now ${name}`),
  })
})

test('launchd has a folder for the log before anything was started, and is told to let go of what it had', async () => {
  await using folder = await folderWith({ 'api/.git/': '', "it's/.git/": '' })
  const run = (word: string, cwd: string, ...flags: string[]) =>
    cacpd(['service', word, '--manager', 'launchd', ...flags], {
      cwd: folder.at(cwd),
      env: { HOME: folder.at(cwd), PATH: `/usr/bin${flags.length === 0 ? ':/bin' : ''}` },
    })
  const { path, name, text, commands } = JSON.parse((await run('install', 'api', '--json')).out)
  const [, log = ''] = /<key>StandardErrorPath<\/key><string>(.*)<\/string>/.exec(text) ?? []
  expect((await stat(dirname(log))).isDirectory()).toBe(true)
  expect((await stat(dirname(log))).mode & 0o777).toBe(0o700)
  expect(commands).toEqual([`launchctl bootstrap gui/$(id -u) ${path}`])

  const unload = `launchctl bootout gui/$(id -u)/${name}`
  const replaced = (await run('install', 'api')).out
  expect(replaced).toMatch(/^Replaced /)
  expect(replaced).toContain(unload)
  expect((await run('remove', 'api')).out).toContain(unload)

  const quoted = JSON.parse((await run('install', "it's", '--json')).out)
  expect(quoted.commands.at(-1)).toContain("it'\\''s")
})

test('systemd is told to start anew what runs as it was before', async () => {
  await using folder = await folderWith({ 'api/.git/': '' })
  const commands = async (path: string): Promise<string[]> => {
    const env = { HOME: folder.path, PATH: path }
    const words = ['service', 'install', '--manager', 'systemd', '--json']
    return JSON.parse((await cacpd(words, { cwd: folder.at('api'), env })).out).commands
  }
  expect((await commands('/usr/bin')).join('\n')).not.toContain('restart')
  expect((await commands('/bin')).join('\n')).toMatch(/systemctl --user restart cacpd-api-/)
})

describe('paths with letters that mean something', () => {
  const odd = {
    name: 'cacpd-x-1',
    command: ['/usr/bin/node', '/a "b"/100%/$HOME/<c>&\\d'],
    cwd: '/w/100%',
    path: '/usr/bin:/opt/$x',
    log: '/w/<l>',
    made: ['/x--y-->', '/z'],
  }

  test('stay what they are for systemd', () => {
    const unit = systemdUnit(odd)
    expect(unit).toContain('ExecStart="/usr/bin/node" "/a \\"b\\"/100%%/$$HOME/<c>&\\\\d"\n')
    expect(unit).toContain('WorkingDirectory=/w/100%%\nEnvironment="PATH=/usr/bin:/opt/$x"\n')
    expect(madeFor(unit)).toEqual(odd.made)
  })

  test('stay what they are for launchd', () => {
    const plist = launchdPlist(odd)
    expect(plist).toContain('<string>/a "b"/100%/$HOME/&lt;c&gt;&amp;\\d</string>')
    expect(plist.match(/--/g)).toHaveLength(4)
    expect(madeFor(plist)).toEqual(odd.made)
  })
})
