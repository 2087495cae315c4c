
# Completes paths of the store, and local ones where a command takes both, if nothing else fits.
function _complete_crail_paths() {
  local word=${COMP_WORDS[COMP_CWORD]} one is_fs='' takes_local=''
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
      for one in $("${COMP_WORDS[0]}" fs -ls -C -d -- "$word*" 2>/dev/null); do
        COMPREPLY+=("$(printf '%q' "$one")")
      done
      ;;
  esac
}

complete -F _complete_crail_paths -o default crail crail.sh crail.bash
