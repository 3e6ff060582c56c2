import { join } from 'node:path'
import type { WorkFiles } from '../../engine/ports/work-ports.ts'
import type { Work } from '../../protocol/work.ts'
import { readText, replaceFile } from '../store/directory/whole-file.ts'
import { onDisk } from '../store/refusals.ts'
import { type FilesOptions, idsInFolder } from './ids-in-folder.ts'

const ENDING = '.json'

/** A file per work in `work/`, replaced as a whole at every change that must not be lost. */
export function openWorkFiles({ directory, disk, log }: FilesOptions): WorkFiles {
  const folder = join(directory, 'work')
  const pathOf = (workId: string) => join(folder, `${workId}${ENDING}`)
  /** The last write of each work, so that writes of the same work do not overlap. */
  const writing = new Map<string, Promise<void>>()

  const inTurn = (workId: string, task: () => Promise<void>): Promise<void> => {
    const next = (writing.get(workId) ?? Promise.resolve()).catch(() => {}).then(task)
    writing.set(workId, next)
    const forget = () => {
      if (writing.get(workId) === next) writing.delete(workId)
    }
    next.then(forget, forget)
    return next
  }

  return {
    async load() {
      const found: Work[] = []
      for (const workId of await idsInFolder(disk, folder, ENDING)) {
        try {
          found.push(JSON.parse(await readText(disk, pathOf(workId))) as Work)
        } catch (error) {
          log.warn({ work: workId, err: error }, 'the file of some work cannot be read and is left alone')
        }
      }
      return found.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
    },
    save: (work) =>
      inTurn(work.work_id, async () => {
        await onDisk(disk.makeDirectory(folder))
        await onDisk(replaceFile(disk, pathOf(work.work_id), [Buffer.from(JSON.stringify(work))]))
      }),
    remove: (workId) => inTurn(workId, () => disk.remove(pathOf(workId))),
  }
}
