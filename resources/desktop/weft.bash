# Completion of weft for bash: the commands as `weft --help` lists them, the options as each command's help names them, else files.
_weft() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-}
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --help 2>/dev/null | awk '/^  [a-z]+ / {print $1}') --help --version" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u)" -- "$word"))
  elif [ "$command" = ops ]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" ops 2>/dev/null | awk '{print $1}')" -- "$word"))
  fi
}
complete -o default -F _weft weft
