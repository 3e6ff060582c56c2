#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = new URL('../dist/cli.js', import.meta.url)
if (existsSync(program)) await import(program.href)
else {
  process.stderr.write(
    'error: cacpd has not been built yet\nnext: npm install && npm run build, in its folder\n',
  )
  process.exitCode = 1
}
