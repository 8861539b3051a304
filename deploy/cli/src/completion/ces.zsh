#compdef ces
# Completion of ces for zsh. In this shell: source <(npx ces completion zsh)
(( $+commands[ces] + $+functions[ces] + $+aliases[ces] )) || ces() { @CES@ "$@" }

_ces_complete() {
  local line
  local -a lines candidates
  lines=("${(@f)$(@CES@ complete -- "${(@)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ $lines[1] == :files ]]; then
    _files
    return
  fi
  for line in $lines; do
    candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  _describe ces candidates
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u }
compdef _ces_complete ces
