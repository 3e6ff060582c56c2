#compdef cacpd
# zsh completion for cacpd. Use it with: source <(cacpd completion zsh)
_cacpd() {
  local -a found shown
  local line
  for line in "${(@f)$(cacpd complete -- "${(@Q)words[1,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    found+=("${line%%$'\t'*}")
    shown+=("${line/$'\t'/  -- }")
  done
  if (( ${#found} )); then compadd -l -d shown -a found; else _files; fi
}
compdef _cacpd cacpd
