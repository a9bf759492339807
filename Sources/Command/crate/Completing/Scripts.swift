/// The completion scripts of the shells, which call `crate`. The argument parser's own scripts
/// would let bash expand album names, which come from untrusted files, as commands.
enum Scripts {
  static let option = "--generate-completion-script"
  /// The option with which the scripts call this program, followed by the shell's name and the
  /// input.
  static let question = "--complete"
  static let shells = ["bash", "zsh", "fish"]

  static func text(for shell: String) -> String? {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    case "fish": fish
    default: nil
    }
  }

  // Readline passes in $2 the part of the word to replace; candidates are quoted for that position.
  private static let bash = #"""
    # Completions of crate(1) for bash.
    _crate() {
        COMPREPLY=()
        local line=${COMP_LINE:0:COMP_POINT}
        mapfile -t COMPREPLY < <(command crate --complete bash "$line" "$2" 2>/dev/null)
        if [[ ${COMPREPLY[0]-} == //files ]]; then
            COMPREPLY=()
            compopt -o default
        fi
    }
    complete -F _crate crate
    """# + "\n"

  private static let zsh = #"""
    #compdef crate
    # Completions of crate(1) for zsh.
    _crate() {
        local line tab=$'\t'
        local -a found values shown
        found=("${(@f)$(_call_program crate command crate --complete zsh \
            "${(@q)${(@Q)words[2,CURRENT-1]}}" "${(q)${(Q)PREFIX}}" 2>/dev/null)}")
        if [[ ${found[1]-} == //files ]]; then
            _files
            return
        fi
        for line in $found; do
            values+=("${line%%$tab*}")
            shown+=("${line/$tab/  -- }")
        done
        (( $#values )) || return 1
        compadd -l -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -d shown -a values
    }
    if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
        _crate "$@"
    else
        compdef _crate crate
    fi
    """# + "\n"

  private static let fish = #"""
    # Completions of crate(1) for fish.
    function __crate_offers
        set -l found (command crate --complete fish (commandline -cp) 2>/dev/null)
        if test "$found[1]" = //files
            __fish_complete_path (commandline -ct)
        else
            string join -- \n $found
        end
    end
    complete -c crate -f -a '(__crate_offers)'
    """# + "\n"
}
