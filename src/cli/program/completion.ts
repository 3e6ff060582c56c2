import type { Command } from 'commander'
import { CLIENTS } from '../../setup/hooks/clients.ts'
import { NAMED_ARGUMENTS, NAMED_AT, NAMED_OPTIONS, type Offered } from '../derive/named-options.ts'
import type { Terminal } from '../output/terminal.ts'
import { fillCommand } from './add-commands.ts'
import { UsageError } from './report.ts'

/** A command with what can follow it. */
interface Place {
  /** `cacpd contract`, as it is typed. */
  readonly path: string
  readonly commands: readonly Word[]
  readonly options: readonly OptionWord[]
  /** What its first argument names. */
  readonly argument: Offered | undefined
  /** What may stand here, where that is known. */
  readonly values: readonly Word[]
}

interface Word {
  readonly name: string
  readonly about: string
}

interface OptionWord extends Word {
  readonly takesValue: boolean
  /** The few words that it takes, where these are all. */
  readonly choices: readonly string[]
}

const SHELLS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** What follows a command that takes one of a few words. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'cacpd completion': Object.keys(SHELLS),
  'cacpd hook': CLIENTS,
}

/** `cacpd completion SHELL`: a script that knows every command and option, and asks the daemon for names. */
export async function printCompletion(shell: string, program: Command, terminal: Terminal): Promise<void> {
  const write = SHELLS[shell]
  if (write === undefined) throw new UsageError(`There is no completion for ${shell}: name bash, zsh or fish`)
  for (const group of program.commands) await fillCommand(group, terminal)
  terminal.print(write([...placesIn(program, [])]))
}

function* placesIn(command: Command, above: readonly string[]): Iterable<Place> {
  const names = [...above, command.name()]
  const seen = command.createHelp()
  const below = seen.visibleCommands(command)
  yield {
    path: names.join(' '),
    commands: below.map((one) => ({ name: one.name(), about: firstLine(one.description()) })),
    options: seen
      .visibleOptions(command)
      .flatMap(({ long, description, required: takesValue, argChoices: choices = [] }) =>
        long == null ? [] : { name: long, about: firstLine(description), takesValue, choices },
      ),
    argument: NAMED_ARGUMENTS[command.registeredArguments[0]?.name() ?? ''],
    values: (VALUES[names.join(' ')] ?? []).map((name) => ({ name, about: '' })),
  }
  for (const one of below) yield* placesIn(one, names)
}

/** Control characters never, and nothing that would have to be quoted in one of the shells. */
const firstLine = (text: string): string => (text.split('\n')[0] ?? '').replace(/['"`$\\:[\]]/g, '')

const wordsOf = ({ commands, values, options }: Place): Word[] => [...commands, ...values, ...options]

/** Goes down from `cacpd` as long as the words name a command; what follows an option is skipped over. */
const descent = (places: readonly Place[]): string =>
  places
    .slice(1)
    .map(({ path }) => `      '${path}') at='${path}' ;;`)
    .join('\n')

/** By the option: what stands behind it. */
const OFFERED: Readonly<Record<string, Offered>> = Object.fromEntries(
  Object.entries(NAMED_OPTIONS).flatMap(([kind, options]) =>
    options.map((option) => [option, kind as Offered]),
  ),
)

/** What kind of thing is to be typed next: behind the word before, or else as an argument of the command. */
const kindCases = (places: readonly Place[]): string => `  case "$at" in
${places
  .filter(({ argument }) => argument !== undefined)
  .map(({ path, argument }) => `    '${path}') kind=${argument} ;;`)
  .join('\n')}
  esac
  case "$before" in
${Object.entries(NAMED_OPTIONS)
  .map(([kind, options]) => `    ${options.join('|')}) kind=${kind} ;;`)
  .join('\n')}
    --*) kind='' ;;
  esac
  case "$at $before" in
${Object.entries(NAMED_AT)
  .map(([place, kind]) => `    '${place}') kind=${kind} ;;`)
  .join('\n')}
  esac`

/** The few words that stand behind an option, in place of all that can follow the command. */
const choiceCases = (places: readonly Place[], setTo: (choices: readonly string[]) => string): string =>
  `  case "$at $before" in
${places
  .flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ name, choices }) => `    '${path} ${name}') ${setTo(choices)} ;;`),
  )
  .join('\n')}
  esac`

const fishValues = (kind: Offered | undefined): string | undefined =>
  kind && ` -x -a '(cacpd complete ${kind} -- (__cacpd_words) 2>/dev/null)'`

function fishOption({ path }: Place, { name, choices, takesValue }: OptionWord): string {
  if (choices.length > 0) return ` -x -a '${choices.join(' ')}'`
  return fishValues(NAMED_AT[`${path} ${name}`] ?? OFFERED[name]) ?? (takesValue ? ' -r' : '')
}

function bashScript(places: readonly Place[]): string {
  const cases = places.map(
    (place) =>
      `    '${place.path}') words='${wordsOf(place)
        .map(({ name }) => name)
        .join(' ')}' ;;`,
  )
  return `# bash completion for cacpd. Use it with: source <(cacpd completion bash)
_cacpd() {
  local at=cacpd words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
${descent(places)}
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  local current="\${COMP_WORDS[COMP_CWORD]}" kind='' quoted
  local before="\${COMP_WORDS[COMP_CWORD-1]}"
${kindCases(places)}
${choiceCases(places, (choices) => `words='${choices.join(' ')}'`)}
  COMPREPLY=()
  # Names are what others wrote: they are compared and quoted, and never expanded.
  if [[ -n $kind && $current != -* ]]; then
    local typed=()
    for word in "\${COMP_WORDS[@]:0:COMP_CWORD}"; do
      word=\${word//[\\\\\\"\\']/}
      typed+=("$word")
    done
    # Readline leaves an open quote where it is, and closes it.
    local open='' begun="$current"
    if [[ $current == [\\'\\"]* ]]; then open="\${current:0:1}" begun="\${current:1}"; fi
    while IFS= read -r word; do
      case "$open" in
        \\') quoted=\${word//\\'/\\'\\\\\\'\\'} ;;
        \\") quoted=$(printf %s "$word" | sed 's/[\\\\"$\`]/\\\\&/g') ;;
        *) printf -v quoted %q "$word" ;;
      esac
      if [[ $word == "$begun"* || $quoted == "$begun"* ]]; then COMPREPLY+=("$quoted"); fi
    done < <(cacpd complete "$kind" -- "\${typed[@]}" 2>/dev/null)
  fi
  if [[ \${#COMPREPLY[@]} -eq 0 ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}
complete -o default -F _cacpd cacpd
`
}

function zshScript(places: readonly Place[]): string {
  const cases = places.map((place) => {
    const lines = wordsOf(place).map(({ name, about }) => `        '${name}:${about}'`)
    return `    '${place.path}')\n      words_here=(\n${lines.join('\n')}\n      ) ;;`
  })
  return `#compdef cacpd
# zsh completion for cacpd. Use it with: source <(cacpd completion zsh)
_cacpd() {
  local at=cacpd word
  local -a words_here
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
${descent(places)}
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  local kind=''
  local before="\${words[CURRENT-1]}"
${kindCases(places)}
${choiceCases(places, (choices) => `words_here=(${choices.join(' ')})`)}
  if [[ -n $kind && $PREFIX != -* ]]; then
    local -a values
    values=("\${(@f)$(cacpd complete "$kind" -- "\${(@Q)words[1,CURRENT-1]}" 2>/dev/null)}")
    values=("\${(@)values:#}")
    (( \${#values} )) && compadd -- "\${values[@]}" && return
  fi
  _describe -t commands cacpd words_here || _files
}
compdef _cacpd cacpd
`
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap((place) => [
    ...[...place.commands, ...place.values].map(
      ({ name, about }) => `complete -c cacpd -n '__cacpd_at "${place.path}"' -f -a '${name}' -d '${about}'`,
    ),
    ...place.options.map(
      (option) =>
        `complete -c cacpd -n '__cacpd_at "${place.path}"' -l '${option.name.slice(2)}'${fishOption(place, option)} -d '${option.about}'`,
    ),
    ...(place.argument === undefined
      ? []
      : [`complete -c cacpd -n '__cacpd_at "${place.path}"'${fishValues(place.argument)}`]),
  ])
  return `# fish completion for cacpd. Use it with: cacpd completion fish | source
function __cacpd_words
  # From fish 4 on -x is what -o was: words without their quotes.
  commandline -xpc 2>/dev/null; or commandline -opc
end
function __cacpd_at
  set -l at cacpd
  for word in (__cacpd_words)[2..]
    switch "$at $word"
${places
  .slice(1)
  .map(({ path }) => `      case '${path}'\n        set at '${path}'`)
  .join('\n')}
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`
}
