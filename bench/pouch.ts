import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RequestHandler } from 'express'

/** PouchDB as its users have it: the default adapter, LevelDB, whose binary comes with the package. */

export interface Database {
  bulkDocs(documents: readonly object[]): Promise<unknown[]>
  info(): Promise<{ doc_count: number }>
}

interface PouchDb {
  new (name: string): Database
  defaults(options: { prefix: string }): PouchDb
  replicate(
    source: string,
    target: Database,
    options?: { batch_size?: number },
  ): Promise<{ docs_written: number }>
}

// They are CommonJS without types, and may not be installed when this is compiled.
const require = createRequire(import.meta.url)

export function pouchIn(directory: string): PouchDb {
  mkdirSync(directory, { recursive: true })
  return (require('pouchdb') as PouchDb).defaults({ prefix: `${directory}/` })
}

/** The HTTP side that PouchDB replicates with, and no more of it than that needs. */
export function pouchOverHttp(databases: PouchDb, logPath: string): RequestHandler {
  const create = require('express-pouchdb') as (databases: PouchDb, options: object) => RequestHandler
  return create(databases, { mode: 'minimumForPouchDB', inMemoryConfig: true, logPath })
}
