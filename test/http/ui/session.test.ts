import { expect, test } from 'vitest'
import { dashboard } from '../../support/daemons/dashboard.ts'

test('a code opens a session, in which the page calls with both halves', async () => {
  await using at = await dashboard()
  const page = await at.open()
  expect(await page.rpc('cacp/inbox/list')).toMatchObject({ items: [] })
  const session = await at.fetch('/ui/session', { headers: page.getting })
  expect(session.status).toBe(200)
  expect(session.json).toMatchObject({ repo: 'backend-api', build: 'ABCD1234', baseUrl: at.url })
  const document = await at.fetch('/ui/c/x/y', { headers: { authorization: '' } })
  expect(document.status, document.text).toBe(200)
})
