import { join } from 'node:path'
import type { RunFile, RunFiles, RunHead, StoredRun } from '../../engine/ports/run-ports.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import type { Disk, DiskFile } from '../store/directory/disk.ts'
import { cutFile } from '../store/directory/whole-file.ts'
import { onDisk } from '../store/refusals.ts'
import { NEWLINE, readLines } from '../store/snapshot/lines.ts'
import { isMissing } from '../system/code.ts'
import { type FilesOptions, idsInFolder } from './ids-in-folder.ts'

const ENDING = '.ndjson'

/** A file per run in `runs/`: the head as one line of JSON, then one line per event. Line n + 1 is event n. */
export function openRunFiles({ directory, disk, log }: FilesOptions): RunFiles {
  const folder = join(directory, 'runs')
  const pathOf = (runId: string) => join(folder, `${runId}${ENDING}`)
  const syncFolder = shared(() => disk.syncDirectory(folder))
  const createFile = async (path: string): Promise<DiskFile> => {
    try {
      return await disk.create(path)
    } catch (error) {
      if (!isMissing(error)) throw error
      // The folder is made with the first run.
      await disk.makeDirectory(folder)
      return disk.create(path)
    }
  }

  return {
    async load() {
      const found: StoredRun[] = []
      for (const runId of await idsInFolder(disk, folder, ENDING)) {
        try {
          const stored = await loadRun(disk, pathOf(runId))
          if (stored === undefined) await disk.remove(pathOf(runId))
          else found.push(stored)
        } catch (error) {
          log.warn({ run: runId, err: error }, 'the file of a run cannot be read and is left alone')
        }
      }
      return found.sort((a, b) => (a.head.created_at < b.head.created_at ? -1 : 1))
    },

    async create(head) {
      const path = pathOf(head.run_id)
      const file = runFile(await onDisk(createFile(path)), 0)
      try {
        await file.append(`${JSON.stringify(head)}\n`)
        await Promise.all([file.sync(), onDisk(syncFolder())])
        return file
      } catch (error) {
        // The first failure is the one to report; a file without a head is removed at the next start.
        await file.close().catch(() => {})
        await disk.remove(path).catch(() => {})
        throw error
      }
    },

    async open(runId) {
      const stored = await onDisk(loadRun(disk, pathOf(runId)))
      if (stored === undefined) throw new Error(`The file of run ${runId} has lost its head`)
      const file = runFile(await onDisk(disk.open(pathOf(runId))), stored.bytes)
      return { file, sequence: stored.last?.sequence ?? 0 }
    },

    async *read(runId, after) {
      let line = 0
      for await (const lines of readLines(disk.read(pathOf(runId)))) {
        const events: RunEvent[] = []
        for (const { bytes } of lines) {
          // A line that is still being written has no newline yet.
          if (line++ > after && bytes.at(-1) === NEWLINE) events.push(parsed<RunEvent>(bytes))
        }
        if (events.length > 0) yield events
      }
    },

    remove: (runId) => disk.remove(pathOf(runId)),
  }
}

/** Runs one task at a time: callers that come while one is running share the next one. */
function shared(task: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined
  const begin = () => {
    next = undefined
    current = task().finally(() => {
      current = undefined
    })
    return current
  }
  return () => {
    if (current === undefined) return begin()
    next ??= current.then(begin, begin)
    return next
  }
}

function runFile(file: DiskFile, start: number): RunFile {
  let size = start
  return {
    get size() {
      return size
    },
    async append(text) {
      const bytes = Buffer.from(text)
      size += bytes.length
      await onDisk(file.append(bytes))
    },
    sync: () => onDisk(file.sync()),
    close: () => file.close(),
  }
}

/** Undefined when not even the head is complete: then no caller has got an answer about it. */
async function loadRun(disk: Disk, path: string): Promise<StoredRun | undefined> {
  let head: RunHead | undefined
  let started: Buffer | undefined
  let last: Buffer | undefined
  let bytes = 0
  let isTorn = false
  for await (const lines of readLines(disk.read(path))) {
    for (const line of lines) {
      isTorn = line.bytes.at(-1) !== NEWLINE
      if (isTorn) break
      bytes = line.offset + line.bytes.length
      if (head === undefined) head = parsed<RunHead>(line.bytes)
      else {
        last = line.bytes
        if (line.bytes.indexOf(STARTED) === 0) started = line.bytes
      }
    }
  }
  if (head === undefined) return undefined
  if (isTorn) await cutFile(disk, path, bytes)
  return {
    head,
    bytes,
    started: started === undefined ? undefined : parsed<RunEvent>(started),
    last: last === undefined ? undefined : parsed<RunEvent>(last),
  }
}

/** How the line of an attempt's first event begins: the type of an event is written first. */
const STARTED = '{"type":"started"'

const parsed = <Value>(line: Buffer): Value => JSON.parse(line.toString('utf8')) as Value
