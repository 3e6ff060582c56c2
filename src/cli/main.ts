// A reader that has seen enough, such as `| head`, is no failure; nor is one that was killed while a daemon goes on.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

const [command, ...rest] = process.argv.slice(2)
process.exitCode =
  command === 'hook' && !rest.some((word) => word === '--help' || word === '-h')
    ? await (await import('./setup/hook.ts')).runHook(rest)
    : await runCommand()

async function runCommand(): Promise<number> {
  const [{ run }, { processTerminal }] = await Promise.all([
    import('./program/run.ts'),
    import('./output/terminal.ts'),
  ])
  return run(process.argv.slice(2), processTerminal())
}
