import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type express from 'express'
import { tellPort } from './child.ts'
import { pouchIn, pouchOverHttp } from './pouch.ts'

/** The side that has the documents. */
const [directory = '', documentsFile = ''] = process.argv.slice(2)
const databases = pouchIn(directory)
await new databases('contracts').bulkDocs(JSON.parse(readFileSync(documentsFile, 'utf8')) as object[])

// express-pouchdb is made for the express that it brings.
const itsRequire = createRequire(createRequire(import.meta.url).resolve('express-pouchdb'))
const app = (itsRequire('express') as typeof express)()
app.use(pouchOverHttp(databases, `${directory}/log`))
tellPort(app)
