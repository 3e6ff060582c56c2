import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { cacpd } from '../cli/captured-terminal.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { agentAt } from '../support/daemons/mcp.ts'
import { arrives, BOUND, bothHealthy, createProject, FRONTEND, pair } from './pairs.ts'

/** As agents write it. */
const ME = {
  method: 'GET',
  path: '/users/me',
  response: { id: 'uuid', email: 'email', role: "'admin'|'user'" },
  errors: { 401: { message: 'string' } },
}
const { email: _, ...WITHOUT_EMAIL } = ME.response
const WITH_OWNER = { ...ME, response: { ...ME.response, role: "'admin'|'user'|'owner'" } }
const EMAIL = 'response.200.body.email'
const SITE = 'src/api/user.ts:41'

/** A command line in the folder of a repository. */
const typed = async (at: TestDaemon, ...words: string[]) =>
  (await cacpd(words, { cwd: dirname(at.dataDir) })).out

/** A line that `cacpd inbox` shows, as a shell reads it. */
const wordsIn = (shown: string, does: string): string[] => {
  const [, line] = new RegExp(`^ {2}cacpd (.*) {3}# ${does}`, 'm').exec(shown) ?? expect.fail(shown)
  return [...(line ?? '').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

test('two repositories negotiate a contract, and each change says whom it breaks, where, and what to do about it', async () => {
  await using backend = await daemon()
  await using frontend = await daemon(FRONTEND)
  await pair(backend, frontend)
  await bothHealthy(backend, frontend)
  await using author = await agentAt(backend, '2025-11-25')
  await using reader = await agentAt(frontend, '2026-07-28')

  const repos = [
    { name: 'backend-api', role: 'backend' },
    { name: 'frontend-app', role: 'frontend' },
  ]
  const projectId = await createProject(backend, { repos })
  await arrives(frontend, projectId)
  await frontend.rpc('cacp/project/join', { projectId })
  const proposal = { projectId, type: 'api_endpoint', name: 'Get Me', content: ME }
  const { contractId } = await backend.rpc('cacp/contract/propose', proposal)
  const ids = { projectId, contractId }
  const hasVersion = (version: number) =>
    expect
      .poll(() => frontend.rpc('cacp/contract/get', ids).catch(() => ({})), BOUND)
      .toMatchObject({ version })
  const inForce = (version: number) =>
    expect
      .poll(async () => (await backend.rpc('cacp/contract/get', ids)).inForce, BOUND)
      .toMatchObject({ version })
  const answerItem = async () => {
    const { items } = await frontend.rpc('cacp/inbox/list')
    return items.find(({ kind }: { kind: string }) => kind === 'answer_contract')
  }

  await hasVersion(1)
  await frontend.rpc('cacp/contract/respond', { ...ids, action: 'agree' })
  await inForce(1)
  await frontend.rpc('cacp/contract/expect', {
    ...ids,
    uses: [EMAIL, 'response.200.body.role'],
    sites: { [EMAIL]: SITE },
  })
  const reviewed = async () =>
    (await backend.rpc('cacp/contract/review', { ...ids, content: { ...ME, response: WITHOUT_EMAIL } })).repos
  await expect.poll(reviewed, BOUND).toMatchObject([{ repo: 'frontend-app', site: SITE }])

  // The backend drops a field: it is told whom that breaks before anybody has answered.
  const dropped = await author.use('contract_update', { ...ids, content: { ...ME, response: WITHOUT_EMAIL } })
  expect(dropped).toContain(
    `\nreview: breaking against v1 (http)\nbreaks «frontend-app» at «${SITE}»: «${EMAIL}: "email" is not returned any more»\n`,
  )
  await hasVersion(2)
  const broken = await answerItem()
  expect(broken.why).toContain(`; it breaks this repo: «${EMAIL}» is gone (${SITE}); agree with accepts`)
  expect(broken.review).toMatchObject({ verdict: 'breaking', breaks: [{ at: EMAIL, site: SITE }] })
  const shown = await typed(frontend, 'inbox')
  expect(shown).toContain(`it breaks this repo: «${EMAIL}» is gone (${SITE})`)
  expect(wordsIn(shown, 'agrees, and accepts what breaks')).toEqual(
    expect.arrayContaining(['contract', 'agree', 'Get Me', '--accepts', 'all', '--version', '2']),
  )
  expect(shown).toMatch(
    /cacpd contract respond .*--action request_change.* {3}# yours: comment; objects to it/,
  )
  expect(await typed(frontend, 'brief')).toContain(`; breaks you: «${EMAIL}» is gone (${SITE}), since`)
  const listed = await reader.use('inbox')
  expect(listed).toContain(`it breaks this repo: «${EMAIL}» is gone (${SITE})`)
  expect(listed).toMatch(/ {2}to accept what breaks: contract_respond \{.*"accepts":"all"/)
  expect(listed).toMatch(/ {2}to object: contract_respond \{.*"action":"request_change"/)

  // It objects; the backend keeps the field, and adds a value to an enum instead.
  const { method, params } = broken.review.object
  await frontend.rpc(method, { ...params, comment: 'the profile page shows it' })
  await expect
    .poll(async () => (await backend.rpc('cacp/contract/get', ids)).objections, BOUND)
    .toHaveLength(1)
  const added = await backend.rpc('cacp/contract/update', { ...ids, content: WITH_OWNER })
  expect(added.review).toMatchObject({
    verdict: 'unknown',
    repos: [
      {
        repo: 'frontend-app',
        verdict: 'unknown',
        missing: expect.stringMatching(/^frontend-app has not said /),
      },
    ],
  })
  await hasVersion(3)
  const open = await answerItem()
  expect(open.why).toMatch(/; unknown: frontend-app has not said whether it tolerates new_enum_values/)
  expect(await reader.use('inbox')).toMatch(
    /to say what is missing: call \{"method":"cacp\/contract\/expect"/,
  )
  await typed(frontend, ...wordsIn(await typed(frontend, 'inbox'), 'says what is missing'))
  expect((await answerItem()).why).toMatch(/; compatible with version 1$/)
  expect(await typed(frontend, 'contract', 'review', 'Get Me')).toMatch(
    /^compatible: 1 change against version 1/,
  )
  await reader.use('contract_respond', { ...ids, action: 'agree', version: 3 })
  await inForce(3)

  // At last the frontend can do without the field, and takes the break on itself.
  await backend.rpc('cacp/contract/update', {
    ...ids,
    content: { ...WITH_OWNER, response: { id: 'uuid', role: WITH_OWNER.response.role } },
  })
  await hasVersion(4)
  const agreed = await typed(frontend, ...wordsIn(await typed(frontend, 'inbox'), 'agrees, and accepts'))
  expect(agreed).toContain('accepted by aid://example.com/frontend@1.0.0 on ')
  await inForce(4)
  const { repos: judged } = await backend.rpc('cacp/contract/review', { ...ids, from: 3 })
  expect(judged).toMatchObject([
    {
      repo: 'frontend-app',
      verdict: 'breaking',
      accepted: [{ by: FRONTEND.agentId, at: expect.any(String) }],
    },
  ])
})
