import { writeFile } from 'node:fs/promises'
import { methodsPage } from '../src/describe/methods-page.ts'
import { describedMethods } from '../src/describe/openrpc.ts'
import { VERSION } from '../src/version.ts'
import { settingsPage } from './settings-page.ts'

const { methods } = describedMethods({ version: VERSION })
await writeFile(new URL('METHODS.md', import.meta.url), methodsPage(methods))
await writeFile(new URL('settings.md', import.meta.url), settingsPage())
