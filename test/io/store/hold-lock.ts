import { lockDirectory } from '../../../src/io/store/directory/lock.ts'

/** A process for lock.test.ts: takes the lock of the directory it is given and keeps it until it is killed. */
const [, , directory = ''] = process.argv
const said = await lockDirectory(directory).then(
  () => 'locked',
  (error: Error) => error.name,
)
process.stdout.write(`${said}\n`)
process.stdin.resume()
