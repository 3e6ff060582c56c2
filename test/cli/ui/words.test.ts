import { expect, test } from 'vitest'
import { browserName } from '../../../src/cli/ui/browser-name.ts'
import { forwardingCommand } from '../../../src/cli/ui/ui.ts'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', 'a program that does not say its name'],
  ['x'.repeat(200), 'x'.repeat(40)],
])('%s is %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})

test.each([
  ['http://127.0.0.1:8080', '10.0.0.9 5000 10.0.0.5 22', 'ssh -N -L 8080:127.0.0.1:8080 me@10.0.0.5'],
  [
    'http://127.0.0.1:8080',
    '10.0.0.9 5000 10.0.0.5 2222',
    'ssh -N -L 8080:127.0.0.1:8080 -p 2222 me@10.0.0.5',
  ],
  ['https://[::1]:8443', 'fe80::9 5000 fe80::5 22', 'ssh -N -L 8443:[::1]:8443 me@fe80::5'],
  ['http://127.0.0.1:8080', '', 'ssh -N -L 8080:127.0.0.1:8080 me@HOST'],
])('the port of %s is forwarded for %s by %s', (url, connection, command) => {
  expect(forwardingCommand(url, connection, 'me')).toBe(command)
})
