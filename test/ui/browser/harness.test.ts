import { expect } from 'vitest'
import { accessFindings, colourFindings } from '../../support/browser/axe.ts'
import { browserTest } from '../../support/browser/browser-test.ts'
import { disposedAfter } from '../../support/browser/closed-after.ts'
import { watchFor } from '../../support/browser/complaints.ts'
import { openListener } from '../../support/browser/listener.ts'

const OFFENCES = {
  'an error in the console': 'console.error("oh")',
  'an exception': 'setTimeout(() => { throw new Error("oh") })',
  'a dialog': 'alert("oh")',
  'a request to another server': 'fetch("http://127.0.0.1:1/oh").catch(() => 0)',
  'an image from elsewhere': 'new Image().src = "http://example.invalid/oh"',
}

const story = browserTest.extend('server', { scope: 'file' }, disposedAfter(openListener))

story.for(Object.entries(OFFENCES))('%s is noticed', async ([, script], { browser, server }) => {
  const complaints: string[] = []
  const context = await browser.newContext()
  watchFor(complaints, context)
  const page = await context.newPage()
  await page.goto(server.url)
  await page.evaluate(script)
  await expect.poll(() => complaints).toContainEqual(expect.stringContaining('oh'))
  await context.close()
})

story('what keeps people from using a page is noticed', async ({ page, server }) => {
  await page.goto(server.url)
  await page.evaluate('document.body.innerHTML = "<p style=color:#ccc>pale</p><button></button>"')
  const of = (rule: string) => expect.stringContaining(`${rule}: `)
  expect(await accessFindings(page)).toEqual(expect.arrayContaining([of('button-name'), of('html-has-lang')]))
  expect(await colourFindings(page)).toEqual([of('color-contrast')])
})
