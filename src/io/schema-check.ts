import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { RunError, type SchemaCheck } from '../engine/run-ports.ts'

/** Characters of JSON. */
const MOST_SCHEMA = 128 * 1024
const MOST_VALUE = 512 * 1024
const MEMORY_MB = 64

const { resolve } = createRequire(import.meta.url)

/** Runs in a thread of its own, because a schema may hold a pattern that takes for ever: then the thread is ended. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const { schema, value, paths, most, longest } = workerData
const cut = (text) => String(text).slice(0, longest).toWellFormed()
const of = (path) => { const found = require(path); return found.default ?? found }
const isOld = /draft-0[67]/.test(String(schema.$schema))
const ajv = new (of(isOld ? paths.draft7 : paths.draft2020))({ strict: false, allErrors: true, logger: false })
of(paths.formats)(ajv)
try {
  const validate = ajv.compile(schema)
  const valid = validate(value)
  const errors = (validate.errors ?? []).slice(0, most)
  parentPort.postMessage({ valid, errors: errors.map((one) => cut(one.instancePath || '/') + ' ' + cut(one.message)) })
} catch (error) {
  parentPort.postMessage({ problem: cut(error.message) })
}
`
const PATHS = {
  draft7: resolve('ajv'),
  draft2020: resolve('ajv/dist/2020.js'),
  formats: resolve('ajv-formats'),
}
const MOST_ERRORS = 20
/** Characters of where an error is, and of what it says: both may repeat the schema and the payload. */
const LONGEST = 300

type Said = { valid: boolean; errors: string[] } | { problem: string }

/** References to other documents are never followed: a schema that has one is refused. */
export function createSchemaCheck({ millis = 5000 }: { millis?: number } = {}): SchemaCheck {
  return async (schema, value, signal) => {
    assertSize(schema, MOST_SCHEMA, 'The schema')
    assertSize(value, MOST_VALUE, 'The payload')
    const workerData = { schema, value, paths: PATHS, most: MOST_ERRORS, longest: LONGEST }
    const worker = new Worker(THREAD, {
      eval: true,
      workerData,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    try {
      const said = await answerOf(worker, millis, signal)
      if ('problem' in said) throw invalid(`The contract's JSON Schema cannot be used: ${said.problem}`)
      return said
    } finally {
      await worker.terminate()
    }
  }
}

function answerOf(worker: Worker, millis: number, signal: AbortSignal): Promise<Said> {
  return new Promise((resolve, reject) => {
    const slow = setTimeout(
      () => reject(new RunError({ kind: 'timeout', message: `The check took longer than ${millis} ms` })),
      millis,
    )
    const stop = () => reject(invalid('The check was stopped'))
    signal.addEventListener('abort', stop, { once: true })
    worker.once('message', resolve)
    worker.once('error', () => reject(invalid('The check took too much memory, or the schema is malformed')))
    worker.once('exit', () => {
      clearTimeout(slow)
      signal.removeEventListener('abort', stop)
      reject(invalid('The check broke off'))
    })
  })
}

function assertSize(value: unknown, most: number, what: string): void {
  if (JSON.stringify(value).length > most) throw invalid(`${what} is larger than ${most / 1024} KiB of JSON`)
}

const invalid = (message: string): RunError => new RunError({ kind: 'invalid_params', message })
