# Completion of ces for fish. In this shell: npx ces completion fish | source
type -q ces; or function ces
    @CES@ $argv
end

function __ces_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (@CES@ complete -- $words[2..-1] "$current" 2> /dev/null)
    if test "$lines[1]" = :files
        __fish_complete_path "$current"
    else
        printf '%s\n' $lines
    end
end
complete -c ces -f -a '(__ces_complete)'
