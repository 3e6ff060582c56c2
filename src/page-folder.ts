import { fileURLToPath } from 'node:url'

/** Where the build puts the page that people see. The same place seen from `src` and from `dist`. */
export const PAGE_FOLDER = fileURLToPath(new URL('../dist/ui/', import.meta.url))
