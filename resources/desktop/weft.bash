# Completion of weft for bash: the commands as `weft --help` lists them, the options as each command's help names them, else files.
_weft() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-}
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --help 2>/dev/null | awk '/^  [a-z]+ / {print $1}') --help --version" -- "$word"))
  elif [ "$command" = tools ] && [ "$COMP_CWORD" = 2 ]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" tools 2>/dev/null | awk '/^  [a-z]/ {print $1}')" -- "$word"))
  elif [ "$command" = tools ] && [[ ${COMP_WORDS[COMP_CWORD - 1]} == --transforms || ( $word != -* && ${COMP_WORDS[COMP_CWORD - 2]-} == --transforms ) ]]; then
    [ "$word" = = ] && word=
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" tools transform_graph --help 2>/dev/null | awk '/^  [a-z]/ {print $1}')" -- "$word"))
  elif [ "$command" = tools ] && [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" tools "${COMP_WORDS[2]}" --help 2>/dev/null | grep -oE -- '--[a-z][a-z_-]+' | sort -u)" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u)" -- "$word"))
  elif [ "$command" = ops ]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" ops 2>/dev/null | awk '{print $1}')" -- "$word"))
  fi
}
complete -o default -F _weft weft
