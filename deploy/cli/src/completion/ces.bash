# Completion of ces for bash. In this shell: source <(npx ces completion bash)
command -v ces > /dev/null || ces() { @CES@ "$@"; }

_ces_complete() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default 2> /dev/null
    else
      COMPREPLY+=("${line%%$'\t'*}")
    fi
  done < <(@CES@ complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -F _ces_complete ces
