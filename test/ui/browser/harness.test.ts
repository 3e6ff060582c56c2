import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { browserTest } from '../../support/browser/browser-test.ts'
import { closedAfter } from '../../support/browser/closed-after.ts'
import { watchFor } from '../../support/browser/complaints.ts'

const OFFENCES = {
  'an error in the console': 'console.error("oh")',
  'an exception': 'setTimeout(() => { throw new Error("oh") })',
  'a dialog': 'alert("oh")',
  'a request to another server': 'fetch("http://127.0.0.1:1/oh").catch(() => 0)',
  'an image from elsewhere': 'new Image().src = "http://example.invalid/oh"',
}

/** Serves an empty page at every address. */
async function listen() {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>empty</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const story = browserTest.extend(
  'server',
  { scope: 'file' },
  closedAfter(listen, async (server) => {
    server.closeAllConnections()
    server.close()
  }),
)

story.for(Object.entries(OFFENCES))('%s is noticed', async ([, script], { browser, server }) => {
  const { port } = server.address() as AddressInfo
  const complaints: string[] = []
  const context = await browser.newContext()
  watchFor(complaints, context)
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.evaluate(script)
  await expect.poll(() => complaints).toContainEqual(expect.stringContaining('oh'))
  await context.close()
})
