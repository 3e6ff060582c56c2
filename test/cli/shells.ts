import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Real shells that are asked to complete a line. What `cacpd` would answer them is laid ready in a file. */

export interface Shell {
  readonly name: string
  /** What is offered for a line that ends at the cursor, in order, as plain words. */
  readonly offered: (script: string, line: string, place: Place) => string[]
  /** As what the only word that fits comes into the line. */
  readonly inserted: (script: string, line: string, place: Place) => string
}

/** A folder with a `cacpd` in it that answers what it is given, and notes what it was asked. */
export class Place {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(join(folder, 'bin'), { recursive: true })
    const command = join(folder, 'bin', 'cacpd')
    writeFileSync(
      command,
      '#!/bin/sh\nprintf "%s\\n" "$@" > "$ANSWERS/asked"\ncat "$ANSWERS/values" 2> /dev/null\n',
    )
    chmodSync(command, 0o755)
  }

  answer(values: string): void {
    writeFileSync(join(this.folder, 'values'), values)
  }

  /** The words of the last question. */
  get asked(): string[] {
    const file = join(this.folder, 'asked')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  }

  run(shell: string, args: readonly string[]): string {
    const { folder } = this
    return execFileSync(shell, args, {
      encoding: 'utf8',
      cwd: folder,
      timeout: 60_000,
      env: { HOME: folder, TERM: 'dumb', ANSWERS: folder, PATH: `${folder}/bin:${process.env['PATH']}` },
    })
  }
}

/** What this machine has not got cannot be asked. */
export const has = (shell: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, shell)))

const lines = (text: string): string[] => text.split('\n').filter(Boolean)

const inBash = (script: string, line: string, place: Place): string[] => {
  // How bash itself divides a line into words is readline's; here blanks do that, but for those behind a backslash.
  const words = line.split(/(?<!\\) /)
  const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cacpd; printf '%s\\n' "\${COMPREPLY[@]}"`
  return lines(place.run('bash', ['--norc', '-c', ask, 'bash', ...words]))
}

/** Types into a terminal of zsh, and notes whatever its completion system is handed to offer. */
const ZSH_SESSION = `
zmodload zsh/zpty
script=$1 line=$2
zpty -b session zsh -f -i
until_said() { local text; said=; while zpty -r session text "*$1*"; do said+=$text; [[ $text == *$1* ]] && return; done }
zpty -w session 'PS1= PS2= RPS1=; unsetopt prompt_cr prompt_sp; autoload -Uz compinit && compinit -u -D; source '\${(q)script}'; echo LOA""DED'
until_said LOADED
zpty -w session 'compadd() { local -a fitting; if [[ " $* " != *" -"[OAD]" "* ]]; then builtin compadd -O fitting "$@"; print -rl -- "\${fitting[@]/#/OFFERED:}" >> offered; fi; builtin compadd "$@" }; over() { print -r -- "$BUFFER" > line; print OV""ER }; zle -N over; bindkey "^X" over; echo REA""DY'
until_said READY
zpty -w -n session "$line"$'\\t\\x18'
until_said OVER
zpty -d session
`

function inZsh(script: string, line: string, place: Place): { offered: string[]; line: string } {
  const at = (name: string) => join(place.folder, name)
  writeFileSync(at('completion.zsh'), script)
  writeFileSync(at('offered'), '')
  place.run('zsh', ['-f', '-c', ZSH_SESSION, 'zsh', at('completion.zsh'), line])
  const offered = lines(readFileSync(at('offered'), 'utf8')).map((one) => one.slice('OFFERED:'.length))
  return { offered: offered.filter(Boolean), line: readFileSync(at('line'), 'utf8').trimEnd() }
}

function inFish(script: string, line: string, place: Place, ...flags: readonly string[]): string[] {
  const file = join(place.folder, 'completion.fish')
  writeFileSync(file, script)
  const ask = `source ${file}; complete ${flags.join(' ')} -C $argv[1]`
  return lines(place.run('fish', ['--no-config', '-c', ask, line])).map((one) => one.split('\t')[0] ?? '')
}

const lastWord = (line: string): string => line.split(/(?<!\\) /).at(-1) ?? ''

export const SHELLS: readonly Shell[] = [
  { name: 'bash', offered: inBash, inserted: (...asked) => inBash(...asked)[0] ?? '' },
  {
    name: 'zsh',
    offered: (...asked) => inZsh(...asked).offered,
    inserted: (...asked) => lastWord(inZsh(...asked).line),
  },
  { name: 'fish', offered: inFish, inserted: (...asked) => inFish(...asked, '--escape')[0] ?? '' },
]
