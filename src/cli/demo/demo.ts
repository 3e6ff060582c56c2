import { setTimeout as wait } from 'node:timers/promises'
import { command } from '../form/command.ts'
import { askToBeLetIn, leaveOpen } from './left-open.ts'
import { createNarration, type DemoEvent } from './narration.ts'
import { lookAround, whatNext } from './next.ts'
import { openPlay } from './play.ts'
import { REPOSITORIES } from './script.ts'
import { playStory } from './story.ts'

/** Between two steps, to read the one before. */
const READING_MILLIS = 700

/** Whatever it makes is gone when it returns, unless it is to be kept. */
export const demo = command({
  about: 'watch two repositories work out a contract',
  isCommon: false,
  options: {
    '--fast': 'without the pauses in which to read',
    '--keep':
      'leave the daemons running, with something for you to do, and say how to look around and how to end them',
    '--json': 'print one JSON line per event, without pauses',
  },
  note: `Two daemons are started in folders that are made for this, and everything is removed at the end, also after Ctrl-C.
Nothing leaves this machine.`,
  examples: ['cacpd demo', 'cacpd demo --keep', 'cacpd demo --json'],
  run: async ({ fast, keep = false, json }, terminal) => {
    const told = createNarration(terminal)
    const tell = (event: DemoEvent) =>
      terminal.print(json === true ? `${JSON.stringify(event)}\n` : told(event))
    const isQuick = fast === true || json === true
    const play = await openPlay(terminal)
    const { signal } = play
    let isOver = false
    try {
      const began = performance.now()
      tell({ event: 'scene', title: 'Two repositories, each with a daemon of its own' })
      const [backend, frontend] = await Promise.all([
        play.addActor(REPOSITORIES.backend),
        play.addActor(REPOSITORIES.frontend),
      ])
      for (const { repo, root, client, pid } of [backend, frontend])
        tell({ event: 'started', repo, url: client.url, folder: root, pid })
      const pause = () => (isQuick ? Promise.resolve() : wait(READING_MILLIS, undefined, { signal }))
      const stage = { backend, frontend, tell, pause, signal }
      const contractStatus = await playStory(stage)
      const seconds = Math.round(performance.now() - began) / 1000
      if (keep) {
        await leaveOpen(stage)
        await askToBeLetIn(stage, await play.addActor(REPOSITORIES.stranger))
      }
      isOver = true
      tell({ event: 'finished', contractStatus, seconds, kept: keep })
    } catch (error) {
      throw signal.aborted ? new Error(INTERRUPTED) : error
    } finally {
      await play.end({ keep: keep && isOver })
    }
    if (json !== true) terminal.print(keep ? await lookAround(play, terminal) : whatNext(terminal))
  },
})

const INTERRUPTED = 'The demo was interrupted; its daemons have ended and its folders are gone'
