import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { folderWith } from '../support/folders/folder.ts'
import { blocksOf } from './markdown.ts'
import { cleanEnv, outputsOf, shown, stepsOf } from './page-script.ts'

const stepsIn = (page: string) => stepsOf(blocksOf(page))

test('commands are taken from the blocks that are run, with the output that is shown', () => {
  const page =
    '```console\n$ A=1\n$ echo $A\n1\n```\n```sh\necho 2\n```\n```sh example\nrm ID\n```\n```text\n$ no\n```\n'
  expect(stepsIn(page)).toEqual([
    { command: 'A=1', output: '' },
    { command: 'echo $A', output: '1' },
    { command: 'echo 2\n', output: undefined },
  ])
})

test('what a page shows is compared with what its commands print', async () => {
  await using folder = await folderWith()
  const place = { cwd: folder.path, env: cleanEnv(), differing: [[/[0-9]+ apples/g, '<apples>']] as const }
  const right = stepsIn('```console\n$ A=fine\n$ echo $A, 3 apples\nfine, 5 apples\n```\n')
  expect(await outputsOf(right, place)).toEqual(shown(right, place))
  const wrong = stepsIn('```console\n$ echo fine\nbad\n```\n')
  expect(await outputsOf(wrong, place)).not.toEqual(shown(wrong, place))
})

test('a command that fails fails the page, also where no output is shown', async () => {
  await using folder = await folderWith()
  const steps = stepsIn('```sh\ncat not-there\n```\n')
  await expect(outputsOf(steps, { cwd: folder.path, env: cleanEnv() })).rejects.toThrow('not-there')
})

test('a request that is refused fails the page', async () => {
  await using running = await daemon()
  const page = '```sh\ncurl http://127.0.0.1:8080/peers -H "Authorization: Bearer nobody"\n```\n'
  const place = { cwd: dirname(running.dataDir), env: cleanEnv(), url: running.url }
  await expect(outputsOf(stepsIn(page), place)).rejects.toThrow('401')
})
