import type { BrowserContext, Request } from 'playwright-core'

/** Writes down what no page may do: log an error, throw, open a dialog, or ask anybody but who served it. */
export function watchFor(complaints: string[], context: BrowserContext): void {
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (thrown) => complaints.push(`thrown: ${thrown.error().message}`))
  context.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('request', (request) => {
    if (leavesItsServer(request)) complaints.push(`request: ${request.method()} ${request.url()}`)
  })
}

function leavesItsServer(request: Request): boolean {
  const { protocol, hostname, origin } = new URL(request.url())
  if (protocol === 'data:' || protocol === 'blob:') return false
  // Where a test goes by itself is on this machine.
  if (request.isNavigationRequest()) return hostname !== '127.0.0.1' && hostname !== 'localhost'
  return origin !== new URL(request.frame().url()).origin
}
