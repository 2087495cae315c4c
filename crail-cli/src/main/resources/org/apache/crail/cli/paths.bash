
# Completes keys behind -D, and paths of the store, and local ones where a command takes both, if nothing else fits.
function _complete_crail_paths() {
  local word=${COMP_WORDS[COMP_CWORD]} one is_fs='' takes_local='' is_value=''
  local -a options
  if [ "${COMP_WORDS[COMP_CWORD-1]}" = -D ]; then
    # shellcheck disable=SC2207 # keys have no blanks; zsh has no mapfile
    COMPREPLY=($(compgen -W "$_crail_keys" -S = -- "$word"))
    type compopt &>/dev/null && compopt -o nospace
    return 0
  fi
  _complete_crail
  if [ ${#COMPREPLY[@]} -gt 0 ] || [ "${word#-}" != "$word" ]; then return 0; fi
  for one in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case ${one#-} in
      fs) is_fs=1 ;;
      put | copyFromLocal | get | copyToLocal | appendToFile | getmerge) takes_local=1 ;;
    esac
  done
  if [ -z "$is_fs" ]; then return 0; fi
  type compopt &>/dev/null && compopt -o nospace
  local IFS=$'\n'
  if [ -n "$takes_local" ]; then
    # shellcheck disable=SC2207 # IFS is a newline; zsh has no mapfile
    COMPREPLY=($(compgen -f -- "$word"))
  fi
  case $word in
    /*)
      # Which store is asked for paths; bash parts COMP_WORDS at : and = as well.
      for one in $(tr -s ' \t' '\n' <<<"$COMP_LINE"); do
        case $is_value$one in
          -D | --conf) options+=("$one") is_value=, ;;
          ,* | -D* | --conf=*) options+=("$one") is_value='' ;;
        esac
      done
      for one in $("${COMP_WORDS[0]}" "${options[@]}" fs -ls -C -d -- "$word*" 2>/dev/null); do
        COMPREPLY+=("$(printf '%q' "$one")")
      done
      ;;
  esac
}

complete -F _complete_crail_paths -o default crail crail.sh crail.bash
