import { runningIn } from '../io/background/ensure-daemon.ts'
import { placeOf } from '../io/background/place.ts'
import { isWrong } from '../setup/finding.ts'
import type { OutputFlags } from './call-daemon.ts'
import { type Diagnosis, failed, type Patient } from './diagnosis.ts'
import { checkAgents } from './doctor-agents.ts'
import { checkDaemon } from './doctor-daemon.ts'
import { checkDataDirectory, checkJournal, checkRepository, checkSettings } from './doctor-place.ts'
import { forPeople } from './hints.ts'
import { paint } from './paint.ts'
import { printable } from './printable.ts'
import { ToldError } from './report.ts'
import type { Terminal } from './terminal.ts'

export interface DoctorFlags extends OutputFlags {
  readonly fix?: boolean
}

type Check = readonly [name: string, look: (patient: Patient) => Promise<readonly Diagnosis[]>]

const CHECKS: readonly Check[] = [
  ['repository', checkRepository],
  ['settings', checkSettings],
  ['data directory', checkDataDirectory],
  ['journal', checkJournal],
  ['daemon', checkDaemon],
  ['agents', checkAgents],
]

/** `cacpd doctor` */
export async function doctor(flags: DoctorFlags, terminal: Terminal): Promise<void> {
  let found = await examine(flags, terminal)
  const fixed: string[] = []
  if (flags.fix === true) {
    for (const { repair } of found) if (repair !== undefined) fixed.push(await tried(repair))
    if (fixed.length > 0) found = await examine(flags, terminal)
  }
  const findings = found.map(({ repair, ...finding }) => ({ ...finding, fixable: repair !== undefined }))
  const isHealthy = !findings.some(isWrong)
  if (flags.json === true) terminal.print(`${JSON.stringify({ healthy: isHealthy, fixed, findings })}\n`)
  else terminal.print(inWords(found, fixed, terminal))
  if (!isHealthy) throw new ToldError()
}

async function examine(flags: DoctorFlags, terminal: Terminal): Promise<Diagnosis[]> {
  const { cwd, env } = terminal
  const place = await placeOf({ cwd, env, dataDir: flags.data })
  // What is wrong with finding it, the checks will say.
  const daemon = await runningIn(place.dataDir).catch(() => undefined)
  const found: Diagnosis[] = []
  for (const [check, look] of CHECKS) {
    const looked = look({ place, daemon, terminal })
    found.push(...(await looked.catch((error: unknown) => [failed(check, error)])))
  }
  return found
}

async function tried(repair: () => Promise<string>): Promise<string> {
  try {
    return await repair()
  } catch (error) {
    return `Not fixed: ${error instanceof Error ? error.message : String(error)}`
  }
}

const SIGNS = { ok: ['green', '✓'], note: ['yellow', '!'], wrong: ['red', '✗'] } as const

function inWords(found: readonly Diagnosis[], fixed: readonly string[], terminal: Terminal): string {
  const lines = found.map(({ check, verdict, message, fix }) => {
    const [colour, sign] = SIGNS[verdict]
    const what = `${paint(colour, sign, terminal)} ${paint('bold', check, terminal)}: ${said(message)}`
    return fix === undefined ? what : `${what}\n    ${said(fix)}`
  })
  const wrong = found.filter(isWrong)
  const canFix = found.filter(({ repair }) => repair !== undefined).length
  return [
    ...fixed.map((line) => `fixed: ${said(line)}`),
    ...lines,
    '',
    wrong.length === 0 ? 'All is well.' : `${wrong.length} of this must be put right.`,
    ...(canFix === 0 ? [] : [`\`${terminal.self} doctor --fix\` puts ${canFix} of it right.`]),
    '',
  ].join('\n')
}

const said = (text: string): string => printable(forPeople(text))
