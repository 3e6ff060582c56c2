import { fileURLToPath } from 'node:url'

/** The same place seen from `src` and from `dist`, into which everything is built without folders. */
export const LAUNCHER = fileURLToPath(new URL('../bin/cacpd.js', import.meta.url))
