# bash completion for cacpd. Use it with: source <(cacpd completion bash)
_cacpd() {
  local word quoted typed=() current="${COMP_WORDS[COMP_CWORD]}"
  for word in "${COMP_WORDS[@]:0:COMP_CWORD}"; do
    word=${word//[\\\"\']/}
    typed+=("$word")
  done
  # Readline leaves an open quote where it is, and closes it.
  local open='' begun="$current"
  if [[ $current == [\'\"]* ]]; then open="${current:0:1}" begun="${current:1}"; fi
  COMPREPLY=()
  # Names are what others wrote: they are compared and quoted, and never expanded.
  while IFS=$'\t' read -r word _; do
    case "$open" in
      \') quoted=${word//\'/\'\\\'\'} ;;
      \") quoted=$(printf %s "$word" | sed 's/[\\"$`]/\\&/g') ;;
      *) printf -v quoted %q "$word" ;;
    esac
    if [[ $word == "$begun"* || $quoted == "$begun"* ]]; then COMPREPLY+=("$quoted"); fi
  done < <(cacpd complete -- "${typed[@]}" "$begun" 2>/dev/null)
}
complete -o default -F _cacpd cacpd
