import { spawnSync } from 'node:child_process'
import { findBrowser } from './find-browser.ts'
import type { Machine } from './plan.ts'

export const thisMachine = (): Machine => ({
  env: process.env,
  browser: findBrowser(process.env),
  canInstall: process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0,
})
