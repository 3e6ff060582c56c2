import { run } from './run.ts'
import { processTerminal } from './terminal.ts'

// A reader that has seen enough, such as `| head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2), processTerminal())
