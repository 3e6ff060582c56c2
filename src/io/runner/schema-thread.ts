import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

const { resolve } = createRequire(import.meta.url)

const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const { schema, value, paths, allErrors, most, longest } = workerData
const cut = (text) => String(text).slice(0, longest).toWellFormed()
const of = (path) => { const found = require(path); return found.default ?? found }
const isOld = /draft-0[67]/.test(String(schema.$schema))
const ajv = new (of(isOld ? paths.draft7 : paths.draft2020))({ strict: false, allErrors, logger: false })
of(paths.formats)(ajv)
const errorOf = ({ instancePath, keyword, params, message = 'is malformed' }) => ({
  path: cut(instancePath),
  message: cut(message),
  ...(keyword === 'required' ? { missing: cut(params.missingProperty) } : {}),
})
try {
  const validate = ajv.compile(schema)
  const valid = validate(value)
  parentPort.postMessage({ valid, errors: (validate.errors ?? []).slice(0, most).map(errorOf) })
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
/** The longest path and message of an error, because both may repeat the schema and the value. */
const LONGEST = 300

export interface SchemaError {
  /** A JSON pointer into the value. */
  readonly path: string
  readonly message: string
  /** The required property that is missing there. */
  readonly missing?: string
}

/** `problem`: the schema cannot be used, or the check failed. */
export type Checked =
  | { readonly valid: boolean; readonly errors: readonly SchemaError[]; readonly problem?: undefined }
  | { readonly problem: string; readonly kind?: 'timeout' | 'internal' }

export interface ThreadRules {
  readonly millis: number
  readonly memoryMb: number
  /** Whether all errors are wanted, or only the first. */
  readonly allErrors: boolean
}

/**
 * Validates a value against a JSON Schema in a thread of its own, because patterns and references in a schema can
 * take forever, or all memory, to compile or to use: then the thread is ended. References to other documents are
 * never followed.
 */
export async function checkInThread(
  schema: unknown,
  value: unknown,
  { millis, memoryMb, allErrors }: ThreadRules,
  signal?: AbortSignal,
): Promise<Checked> {
  const worker = new Worker(THREAD, {
    eval: true,
    workerData: { schema, value, paths: PATHS, allErrors, most: MOST_ERRORS, longest: LONGEST },
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  try {
    return await answerOf(worker, millis, signal)
  } finally {
    await worker.terminate()
  }
}

const REPLACED = 'The program was taken away or upgraded while this daemon ran; start the daemon anew'
const TOO_MUCH = 'The check took too much memory, or the schema is malformed'

function answerOf(worker: Worker, millis: number, signal: AbortSignal | undefined): Promise<Checked> {
  return new Promise((resolve) => {
    const giveUp = (problem: string) => resolve({ problem })
    const tooLong = `The check took longer than ${millis} ms`
    const slow = setTimeout(() => resolve({ problem: tooLong, kind: 'timeout' }), millis)
    const stop = () => giveUp('The check was stopped')
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) stop()
    worker.once('message', resolve)
    worker.once('error', ({ code }: NodeJS.ErrnoException) =>
      code === 'MODULE_NOT_FOUND' ? resolve({ problem: REPLACED, kind: 'internal' }) : giveUp(TOO_MUCH),
    )
    worker.once('exit', () => {
      clearTimeout(slow)
      signal?.removeEventListener('abort', stop)
      giveUp('The check broke off')
    })
  })
}
