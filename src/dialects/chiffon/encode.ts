import type { Message } from '../../protocol/chiffon/envelope.ts'
import { isEnd, type RunEvent } from '../../protocol/run/event.ts'
import { type RunResult, RunSum } from '../../protocol/run/fold.ts'
import { type Ending, endMessages } from './ends.ts'

type StepStatus = RunResult['steps'][number]['status']

const BEGUN = { status: 'running' as StepStatus, progress: 0, number: 0, name: 'started' }
type Now = Readonly<typeof BEGUN>

/** Encodes the events of one attempt as messages; its last event becomes the messages that end the work. */
export function createEncoder(about: Ending): (event: RunEvent) => readonly Message[] {
  let now: Now = BEGUN
  const sum = new RunSum()

  return (event) => {
    const before = now
    now = nowAfter(before, event)
    // `now` has the last step, and the end needs no other.
    if (event.type !== 'step') sum.add(event)
    if (isEnd(event)) return endMessages({ ...sum.result, steps: lastStep(now) }, about)
    const output = outputOf(event)
    return output === undefined ? [] : [statusMessage(about.task_id, now, output)]
  }
}

/** How a run stands at this moment, as one work_status. */
export function statusOf(task_id: string, { steps, progress }: RunResult): Message {
  const step = steps.at(-1)
  const now = step === undefined ? BEGUN : { status: step.status, number: step.number, name: step.name }
  return statusMessage(task_id, { ...now, progress }, step?.output ?? '')
}

function nowAfter(before: Now, event: RunEvent): Now {
  switch (event.type) {
    case 'started':
      return BEGUN
    case 'step':
      return {
        status: event.status,
        progress: Math.max(before.progress, event.progress ?? 0),
        number: event.number,
        name: event.name,
      }
    case 'heartbeat':
      return before
    default:
      // Events after a completed step belong to the next one.
      return before.status === 'running' ? before : { ...before, status: 'running' }
  }
}

/** The output of an event in its work_status; undefined for events that only the end has. */
function outputOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'started':
    case 'heartbeat':
      return ''
    case 'text':
      return event.delta
    case 'step':
      return event.output
    default:
      return undefined
  }
}

function statusMessage(task_id: string, { status, progress, number, name }: Now, output: string): Message {
  return {
    type: 'work_status',
    payload: { task_id, status, progress_percent: progress, step: { number, name, output } },
  }
}

const lastStep = ({ number, name, status }: Now): RunResult['steps'] =>
  name === BEGUN.name && number === 0 ? [] : [{ number, name, status, output: '', progress: null }]
