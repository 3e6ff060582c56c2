import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ConfigError, type ConfigSources, loadConfig, unknownVariables } from '../../src/config/config.ts'
import { NEEDS_TRUST } from '../../src/config/settings.ts'
import { REPLICATION_RULES } from '../../src/engine/replicate/rules.ts'
import { trust } from '../../src/io/identity/trusted.ts'
import { rememberEndpoint } from '../../src/io/place/data-dir.ts'
import { isAid } from '../../src/protocol/agent/aid.ts'
import { type Folder, folderWith } from '../support/folders/folder.ts'

const load = (folder: Folder, sources: Partial<ConfigSources> = {}) =>
  loadConfig({ flags: {}, env: {}, cwd: folder.path, ...sources })

const withConfigFile = (content: unknown) => folderWith({ '.cacp/config.json': JSON.stringify(content) })

async function errorOf(loading: Promise<unknown>): Promise<string> {
  const error = await loading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ConfigError)
  const { message } = error as ConfigError
  expect(message).not.toContain('\n')
  return message
}

describe('precedence', () => {
  test('a flag beats the environment, which beats the file, which beats the default', async () => {
    await using folder = await withConfigFile({ port: 3, logLevel: 'debug', role: 'infra' })
    const env = { CACP_PORT: '2', CACP_LOG_LEVEL: 'warn' }
    expect(await load(folder, { flags: { port: '1' }, env })).toMatchObject({
      port: 1,
      logLevel: 'warn',
      role: 'infra',
      host: '127.0.0.1',
    })
  })

  test('without any settings everything has a default', async () => {
    await using folder = await folderWith()
    const config = await load(folder)
    expect(config).toMatchObject({
      role: 'shared',
      language: 'unknown',
      host: '127.0.0.1',
      port: null,
      dataDir: folder.at('.cacp'),
      open: false,
      logLevel: 'info',
      allowedOrigins: [],
      quotaBytes: 512 * 1024 * 1024,
      fileBytesPerCaller: 128 * 1024 * 1024,
      unnamedFileSeconds: 86_400,
      compactBytes: 64 * 1024 * 1024,
      auditBytes: 64 * 1024 * 1024,
      shutdownSeconds: 5,
      peerRepairSeconds: REPLICATION_RULES.repairEveryMillis / 1000,
      peerCallSeconds: REPLICATION_RULES.callMillis / 1000,
      peerRetrySeconds: REPLICATION_RULES.breaker.retryMillis.map((millis) => millis / 1000),
      peerPauseSeconds: REPLICATION_RULES.breaker.openMillis / 1000,
      receiptSeconds: REPLICATION_RULES.receiptEveryMillis / 1000,
      publicUrl: null,
      tlsCert: null,
      tlsKey: null,
      ratePerKey: 60_000,
      ratePerAddress: 60_000,
      ratePerStranger: 1200,
      ratePairing: 30,
      maxConnections: 1000,
      maxConnectionsPerAddress: 100,
      headerSeconds: 10,
      requestSeconds: 60,
      unreadBytesPerCaller: 64 * 1024 * 1024,
      unreadBytes: 256 * 1024 * 1024,
      unreadSeconds: 30,
      agent: { commands: {}, output: 'text', allow: [], concurrency: 2 },
      feedReaders: 200,
      waitsAtOnce: 2000,
      takeMinutes: 30,
      runsAtOnce: 200,
      runSeconds: 1800,
      runHeartbeatSeconds: 15,
      runUnwatchedSeconds: 5,
      runBytes: 32 * 1024 * 1024,
      runsKept: 2000,
      runsKeptSeconds: 7 * 24 * 60 * 60,
      runsKeptBytes: 128 * 1024 * 1024,
    })
    expect(config.peerRetrySeconds).toHaveLength(REPLICATION_RULES.breaker.openAfterFailures - 1)
    expect(config.guessed).toEqual(['repo', 'role', 'language', 'agentId'])
    expect(isAid(config.agentId)).toBe(true)
  })

  test('the agent is an object in the file, or JSON in the environment', async () => {
    await using folder = await folderWith({ '.cacp/config.json': '{"agent":{"command":["a","b c"]}}' })
    expect((await load(folder)).agent).toMatchObject({ command: ['a', 'b c'], output: 'text' })
    const env = { CACP_AGENT: '{"command":["d"],"output":"events"}' }
    expect((await load(folder, { env })).agent).toMatchObject({ command: ['d'], output: 'events' })
  })

  test.each([
    '"my-agent --print"',
    '{"command":"my-agent"}',
    '{"command":[]}',
    '{"shell":true}',
    '{"allow":["x"]}',
  ])('an agent such as %s is refused with an example', async (agent) => {
    await using folder = await folderWith({ '.cacp/config.json': `{"agent":${agent}}` })
    await expect(load(folder)).rejects.toThrow(/key agent, is .* but must be an object such as \{"command"/)
  })

  test('what was given is not reported as guessed', async () => {
    await using folder = await folderWith()
    const { guessed } = await load(folder, { flags: { repo: 'api' }, env: { CACP_ROLE: 'backend' } })
    expect(guessed).toEqual(['language', 'agentId'])
  })

  test('an empty variable counts as not set', async () => {
    await using folder = await folderWith()
    expect(await load(folder, { env: { CACP_PORT: '', CACP_DATA: '' } })).toMatchObject({
      port: null,
      dataDir: folder.at('.cacp'),
    })
  })

  test('the file opens the daemon only with true', async () => {
    for (const open of ['yes', 'true', '1', 1, 'on']) {
      await using folder = await withConfigFile({ open })
      expect(await errorOf(load(folder))).toMatch(/key open, is .+, but must be true or false$/)
    }
    await using folder = await withConfigFile({ open: true })
    expect((await load(folder, { isOnlyLook: true })).open).toBe(true)
  })

  test('the environment opens it only with true or 1', async () => {
    await using folder = await folderWith()
    const open = (word: string) => load(folder, { env: { CACP_OPEN: word } })
    for (const word of ['true', '1']) expect((await open(word)).open).toBe(true)
    for (const word of ['false', '0', '']) expect((await open(word)).open).toBe(false)
    for (const word of ['yes', 'on', 'TRUE', 'toString'])
      expect(await errorOf(open(word))).toBe(`environment CACP_OPEN is "${word}", but must be true or false`)
  })

  test('text from the environment becomes numbers, booleans and lists', async () => {
    await using folder = await folderWith()
    const env = { CACP_OPEN: '1', CACP_SHUTDOWN_SECONDS: '9', CACP_ALLOWED_ORIGINS: 'http://a:1, https://b' }
    expect(await load(folder, { env })).toMatchObject({
      open: true,
      shutdownSeconds: 9,
      allowedOrigins: ['http://a:1', 'https://b'],
    })
  })
})

describe('the data directory', () => {
  test('lies in the root of the repository, also when started in a sub-folder', async () => {
    await using folder = await folderWith({ '.git/HEAD': '', 'src/deep/': '' })
    expect((await load(folder, { cwd: folder.at('src/deep') })).dataDir).toBe(folder.at('.cacp'))
  })

  test('is named by the flag before CACP_DATA, relative to the working directory', async () => {
    await using folder = await folderWith()
    const env = { CACP_DATA: 'from-env' }
    expect((await load(folder, { env })).dataDir).toBe(folder.at('from-env'))
    expect((await load(folder, { env, flags: { data: 'from-flag' } })).dataDir).toBe(folder.at('from-flag'))
  })
})

describe('a path that is empty', () => {
  test.each(['data', 'config'] as const)('is refused as --%s', async (flag) => {
    await using folder = await folderWith()
    expect(await errorOf(load(folder, { flags: { [flag]: '' } }))).toBe(
      `flag --${flag} is "", but must be a path`,
    )
  })
})

describe('variables that are no settings', () => {
  test('are told with the closest one', () => {
    expect(
      unknownVariables({ CACP_PROT: '1', CACP_PEER_RETRY: '2', CACP_PORT: '3', CACP_DATA: '', PATH: '' }),
    ).toEqual([
      { name: 'CACP_PROT', closest: 'CACP_PORT' },
      { name: 'CACP_PEER_RETRY', closest: 'CACP_PEER_RETRY_SECONDS' },
    ])
  })
})

describe('who the daemon is', () => {
  const endpoint = {
    url: 'http://127.0.0.1:1',
    port: 1,
    pid: 1,
    processStart: '',
    startedAt: '2026-11-16T09:00:00.000000Z',
  }

  async function startedBefore(given: { role?: string; language?: string } = {}): Promise<Folder> {
    const folder = await folderWith()
    await mkdir(folder.at('.cacp'))
    await rememberEndpoint(folder.at('.cacp'), {
      ...endpoint,
      repo: 'api',
      agentId: 'aid://old-host/api@1.0.0',
      ...given,
    })
    return folder
  }

  test('stays the same when the host gets another name or the folder is moved', async () => {
    await using folder = await startedBefore()
    expect(await load(folder)).toMatchObject({ repo: 'api', agentId: 'aid://old-host/api@1.0.0' })
  })

  test('keeps the role and the language that were given once, which are no guess', async () => {
    await using folder = await startedBefore({ role: 'mobile', language: 'swift' })
    const config = await load(folder)
    expect(config).toMatchObject({ role: 'mobile', language: 'swift' })
    expect(config.guessed).toEqual(['repo', 'agentId'])
    expect(await load(folder, { flags: { role: 'infra' } })).toMatchObject({ role: 'infra' })
  })

  test('stays the same when the repository is renamed, and that is told', async () => {
    await using folder = await startedBefore()
    expect((await load(folder)).renamed).toBeNull()
    expect(await load(folder, { flags: { repo: 'Web_App' } })).toMatchObject({
      repo: 'Web_App',
      agentId: 'aid://old-host/api@1.0.0',
      renamed: { from: 'api' },
    })
  })

  test('is told of a file that would take the new name back', async () => {
    await using folder = await startedBefore()
    const path = folder.at('.cacp/config.json')
    await writeFile(path, JSON.stringify({ repo: 'api' }))
    expect((await load(folder, { flags: { repo: 'web' } })).renamed).toEqual({ from: 'api', overruled: path })
    expect((await load(folder)).renamed).toBeNull()
  })

  test('is another one where that is said', async () => {
    await using folder = await startedBefore()
    const agentId = 'aid://example.com/web@1.0.0'
    expect(await load(folder, { flags: { repo: 'web', agentId } })).toMatchObject({ agentId, renamed: null })
  })
})

const PLAIN_NAME =
  'text of 1 to 200 characters, none of them a control character or a mark of writing direction'

describe('a bad value is one line that names its source and what is allowed', () => {
  test.each([
    ['port', 'http', 'a whole number from 0 to 65535'],
    ['port', '65536', 'a whole number from 0 to 65535'],
    ['repo', ' ', PLAIN_NAME],
    ['repo', 'api\u202Eipa', PLAIN_NAME],
    ['logLevel', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
    ['agentId', 'me', 'an agent ID such as aid://example.com/backend-agent@1.0.0'],
    ['open', 'maybe', 'true or false'],
    ['shutdownSeconds', '-1', 'a whole number from 0 to 3600'],
    ['peerRepairSeconds', '0', 'a whole number from 1 to 86400'],
    ['peerRetrySeconds', '1,,2', '1 to 20 whole numbers from 0 to 3600 (separated by commas)'],
    ['quotaBytes', '1', 'a whole number from 1048576 to 1099511627776'],
    ['compactBytes', '1.5', 'a whole number from 4096 to 1099511627776'],
    [
      'allowedOrigins',
      'https://a/path',
      'web origins such as https://example.com:8443, without a path (several: separated by commas)',
    ],
    ['host', 'example.com', 'an IP address (127.0.0.1, ::1, 0.0.0.0, …) or localhost'],
    ['host', '127.0.0.1.example.com', 'an IP address (127.0.0.1, ::1, 0.0.0.0, …) or localhost'],
    ['publicUrl', 'http://a.example', 'an https URL without a path, such as https://laptop.example:8080'],
    ['publicUrl', 'https://a.example/x', 'an https URL without a path, such as https://laptop.example:8080'],
    ['ratePerKey', '0', 'a whole number from 1 to 1000000000'],
    ['maxConnections', '1', 'a whole number from 10 to 100000'],
    ['headerSeconds', '0', 'a whole number from 1 to 3600'],
  ])('%s = %j', async (key, value, allowed) => {
    const words = key.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
    const variable = `CACP_${words.replaceAll('-', '_').toUpperCase()}`
    const complaint = `is ${JSON.stringify(value)}, but must be ${allowed}`
    await using folder = await withConfigFile({ [key]: value })
    const file = folder.at('.cacp/config.json')
    expect(await errorOf(load(folder))).toBe(`${file}, key ${key}, ${complaint}`)
    expect(await errorOf(load(folder, { env: { [variable]: value } }))).toBe(
      `environment ${variable} ${complaint}`,
    )
    expect(await errorOf(load(folder, { flags: { [key]: value } }))).toBe(`flag --${words} ${complaint}`)
  })

  test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('the host %s is fine', async (host) => {
    await using folder = await folderWith()
    expect((await load(folder, { flags: { host, open: true } })).host).toBe(host)
  })
})

describe('a daemon that other machines can call', () => {
  const publicUrl = 'https://laptop.example:8080'

  test.each(['0.0.0.0', '::', '192.168.1.5', 'fd00::2', '0.0.0.1'])(
    'at %s needs a public URL',
    async (host) => {
      await using folder = await folderWith()
      expect(await errorOf(load(folder, { flags: { host } }))).toBe(
        `--host ${host} lets other machines call: say by which URL they reach this daemon, with --public-url https://NAME:PORT`,
      )
      expect(await load(folder, { flags: { host, publicUrl } })).toMatchObject({ host, publicUrl })
    },
  )

  test('is not open, whether it listens there itself or something in front of it does', async () => {
    await using folder = await folderWith()
    const open = true
    expect(await errorOf(load(folder, { flags: { host: '0.0.0.0', publicUrl, open } }))).toContain(
      'leave out --open, or --host 0.0.0.0',
    )
    expect(await errorOf(load(folder, { flags: { host: '127.0.0.1', publicUrl, open } }))).toContain(
      'leave out --open, or --public-url',
    )
  })

  test('has a certificate and its key, or neither', async () => {
    await using folder = await folderWith()
    for (const flags of [{ tlsCert: 'a.pem' }, { tlsKey: 'a.pem' }])
      expect(await errorOf(load(folder, { flags }))).toContain('give --tls-cert and --tls-key, or neither')
    expect(await load(folder, { flags: { tlsCert: 'a.pem', tlsKey: 'b.pem' } })).toMatchObject({
      tlsCert: folder.at('a.pem'),
      tlsKey: folder.at('b.pem'),
    })
  })
})

describe('the file', () => {
  test('with an unknown key is refused, and the key is named', async () => {
    await using folder = await withConfigFile({ prot: 8080 })
    expect(await errorOf(load(folder))).toMatch(
      /config\.json has the unknown key "prot"; known are repo, role/,
    )
  })

  test.each(['{', '', '[]', 'null', '"text"'])('with %j in it is refused', async (content) => {
    await using folder = await folderWith({ '.cacp/config.json': content })
    expect(await errorOf(load(folder))).toMatch(/config\.json (is not JSON|must hold one JSON object)/)
  })

  test('is not looked for in a data directory that is a file: the store says so', async () => {
    await using folder = await folderWith()
    await writeFile(folder.at('plain'), 'mine')
    expect((await load(folder, { flags: { data: 'plain' } })).dataDir).toBe(folder.at('plain'))
    expect(await errorOf(load(folder, { flags: { config: 'plain/config.json' } }))).toMatch(
      /cannot be read \(ENOTDIR\)/,
    )
  })

  test('can be another one, which then must be there', async () => {
    await using folder = await folderWith()
    await writeFile(folder.at('mine.json'), '{"port": 7}')
    expect((await load(folder, { flags: { config: 'mine.json' } })).port).toBe(7)
    expect(await errorOf(load(folder, { env: { CACP_CONFIG: 'other.json' } }))).toBe(
      `${folder.at('other.json')} cannot be read (ENOENT)`,
    )
  })
})

describe('the exchange', () => {
  test('is named by a URL, and only then can be made use of', async () => {
    await using folder = await folderWith()
    const url = `https://exchange.example/adp#${'a1'.repeat(32)}`
    const env = {
      CACP_ADP_EXCHANGE: url,
      CACP_REQUIRE_ADP: '1',
      CACP_REGISTER_ADP: 'false',
      CACP_ALLOW_KNOWN: 'true',
    }
    expect(await load(folder, { env })).toMatchObject({
      adpExchange: url,
      requireAdp: true,
      registerAdp: false,
      allowKnown: true,
      adpRenewHours: 12,
    })
    for (const [flag, name] of [
      ['registerAdp', '--register-adp'],
      ['requireAdp', '--require-adp'],
      ['allowKnown', '--allow-known'],
    ] as const)
      expect(await errorOf(load(folder, { flags: { [flag]: true } }))).toBe(
        `${name} needs an exchange: name it with --adp-exchange URL`,
      )
    expect(await load(folder)).toMatchObject({ adpExchange: null, registerAdp: false, allowKnown: false })
  })

  test('is not called without TLS on another machine', async () => {
    await using folder = await folderWith()
    for (const adpExchange of ['http://exchange.example', 'http://10.0.0.1:8090'])
      expect(await errorOf(load(folder, { flags: { adpExchange } }))).toMatch(
        '--adp-exchange: plain http is only taken to this machine',
      )
    for (const adpExchange of ['http://127.0.0.1:8090', 'http://localhost:8090', 'http://[::1]:8090'])
      expect(await load(folder, { flags: { adpExchange } })).toMatchObject({ adpExchange })
  })

  test.each(['x', 'ftp://x', 'https://user@x', 'https://x?a=b', 'https://x#nonsense', ''])(
    'is not named by %j',
    async (adpExchange) => {
      await using folder = await folderWith()
      expect(await errorOf(load(folder, { flags: { adpExchange } }))).toMatch('--adp-exchange is')
    },
  )
})

test('a pipe is read where somebody named it, and nobody waits for one that lies in the data directory', async () => {
  await using folder = await folderWith({ '.cacp/': '' })
  const pipe = folder.at('.cacp/config.json')
  await promisify(execFile)('mkfifo', [pipe])
  expect(await errorOf(load(folder))).toBe(`${pipe} cannot be read (EINVAL)`)
  const [config] = await Promise.all([
    load(folder, { flags: { config: pipe } }),
    writeFile(pipe, '{"port":3}'),
  ])
  expect(config.port).toBe(3)
})

describe('the dashboard', () => {
  test.each([
    [undefined, { remote: false, basePath: '' }],
    ['true', { remote: false, basePath: '' }],
    ['false', false],
    ['{"basePath": "/team/backend-api"}', { remote: false, basePath: '/team/backend-api' }],
  ])('CACP_UI=%s means %j', async (text, ui) => {
    await using folder = await folderWith()
    expect((await load(folder, { env: { CACP_UI: text } })).ui).toEqual(ui)
  })

  test.each(['/', '/backend/', 'backend', '/../x', '/a//b', '/a b', '/a?b', '/a"b', '/%2e%2e'])(
    '%s is no path for a proxy',
    async (basePath) => {
      await using folder = await withConfigFile({ ui: { basePath } })
      expect(await errorOf(load(folder))).toContain('key ui, is')
    },
  )

  test('for people at other machines needs the URL by which they come', async () => {
    await using folder = await folderWith()
    const env = { CACP_UI: '{"remote": true}' }
    expect(await errorOf(load(folder, { env }))).toContain('with --public-url https://NAME:PORT')
    const publicUrl = 'https://laptop.example'
    expect(await load(folder, { env, flags: { publicUrl } })).toMatchObject({ ui: { remote: true } })
  })
})

describe('the hub', () => {
  test.each([
    [undefined, null],
    ['nats://127.0.0.1:4222', { url: 'nats://127.0.0.1:4222', org: 'default', members: false }],
    [
      '{"url": "tls://a.example:4222, tls://b.example:4222", "org": "acme", "members": true}',
      { url: 'tls://a.example:4222, tls://b.example:4222', org: 'acme', members: true },
    ],
  ])('CACP_HUB=%s means %j', async (text, hub) => {
    await using folder = await folderWith()
    expect(await load(folder, { env: { CACP_HUB: text } })).toMatchObject({
      hub,
      overruled: text === undefined ? [] : ['hub'],
    })
  })

  test('has its files where the daemon is started', async () => {
    await using folder = await folderWith()
    const env = { CACP_HUB: '{"url": "nats://[::1]", "nkey": "me.nk", "tlsCa": "/etc/ca.pem"}' }
    const { hub } = await load(folder, { env })
    expect(hub).toMatchObject({ nkey: folder.at('me.nk'), tlsCa: '/etc/ca.pem' })
  })

  test.each([
    'http://x',
    'nats://user:secret@x',
    'nats://x/path',
    'nats://x:123456',
    '',
    '{"url": "nats://x", "org": "Acme"}',
    '{"url": "nats://x", "creds": "a", "nkey": "b"}',
    '{"url": "nats://x", "password": "b"}',
    `{"url": "${Array(21).fill('nats://x').join(',')}"}`,
  ])('is not described by %s', async (text) => {
    await using folder = await withConfigFile({ hub: text.startsWith('{') ? JSON.parse(text) : text })
    expect(await errorOf(load(folder))).toContain('key hub, is')
  })
})

describe('what lets others in', () => {
  const opening: [string, unknown][] = [
    ['host', '0.0.0.0'],
    ['publicUrl', 'https://laptop.example'],
    ['tlsCert', 'cert.pem'],
    ['tlsKey', 'key.pem'],
    ['open', true],
    ['adpExchange', 'https://exchange.example'],
    ['registerAdp', true],
    ['requireAdp', true],
    ['allowKnown', true],
    ['allowedOrigins', ['https://example.com']],
    ['ui', { remote: true }],
    ['chiffonTokens', { 'aid://example.com/orchestrator@1.0.0': 'a'.repeat(32) }],
    ['hub', { url: 'nats://127.0.0.1:4222' }],
  ]

  test('every such setting is tried here', () => {
    expect(opening.map(([key]) => key)).toEqual([...NEEDS_TRUST])
  })

  test.each(opening)(
    '%s does not count in the file of a repository that nobody looked at',
    async (key, value) => {
      await using folder = await withConfigFile({ [key]: value })
      const message = await errorOf(load(folder))
      expect(message).toContain(`lets others in (${key})`)
      expect(message).toContain('cacpd config trust')
      expect(message).not.toContain('a'.repeat(32))
    },
  )

  test('counts in flags, in variables, and in a file that somebody names', async () => {
    await using folder = await withConfigFile({ open: true })
    const named = { flags: { config: '.cacp/config.json' } }
    expect(await load(folder, named)).toMatchObject({ open: true, opening: {} })
    await using plain = await folderWith()
    expect(await load(plain, { flags: { open: true } })).toMatchObject({ open: true, opening: {} })
    expect(await load(plain, { env: { CACP_OPEN: 'true' } })).toMatchObject({ open: true, opening: {} })
  })

  test('a flag that overrules the file needs no trust in the file', async () => {
    await using folder = await withConfigFile({ open: true })
    expect(await load(folder, { flags: { open: false } })).toMatchObject({ open: false })
  })

  test('what holds anyhow opens nothing', async () => {
    await using folder = await withConfigFile({ open: false, host: '127.0.0.1', allowedOrigins: [] })
    expect(await load(folder)).toMatchObject({ opening: {} })
    await using withoutUi = await withConfigFile({ ui: false })
    expect(await load(withoutUi)).toMatchObject({ ui: false, opening: {} })
    await using behindProxy = await withConfigFile({ ui: { basePath: '/backend' } })
    expect(await load(behindProxy)).toMatchObject({ opening: {} })
  })

  test('counts where it was trusted, until it changes', async () => {
    await using folder = await withConfigFile({ open: true })
    const env = { XDG_STATE_HOME: folder.at('state') }
    const config = await load(folder, { env, isOnlyLook: true })
    expect(config.opening).toEqual({ open: true })
    await trust('opening', config.opening, config)
    expect(await load(folder, { env })).toMatchObject({ open: true })
    await writeFile(folder.at('.cacp/config.json'), '{"open":true,"allowedOrigins":["https://example.com"]}')
    expect(await errorOf(load(folder, { env }))).toContain('(open, allowedOrigins)')
  })

  test('goes on counting where a flag overrules a part of what was trusted', async () => {
    await using folder = await withConfigFile({ open: true, allowedOrigins: ['https://example.com'] })
    const env = { XDG_STATE_HOME: folder.at('state') }
    const config = await load(folder, { env, isOnlyLook: true })
    await trust('opening', config.opening, config)
    expect(await load(folder, { env, flags: { open: false } })).toMatchObject({
      open: false,
      allowedOrigins: ['https://example.com'],
    })
  })

  test('trust in a command is no trust in what lets others in', async () => {
    await using folder = await withConfigFile({ open: true })
    const env = { XDG_STATE_HOME: folder.at('state') }
    const config = await load(folder, { env, isOnlyLook: true })
    await trust('agent', config.opening, config)
    expect(await errorOf(load(folder, { env }))).toContain('(open)')
  })
})
