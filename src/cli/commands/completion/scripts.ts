import { basename } from 'node:path'

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/**
 * Each script runs `complete`, whose lines hold a value, a tab and a description. Without lines, files are completed.
 */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_@WORD@_complete() {
  local IFS=$'\\n'
  COMPREPLY=($(@PROGRAM@ complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _@WORD@_complete @WORD@
`,
  zsh: `_@WORD@() {
  local value about
  local -a found
  while IFS=$'\\t' read -r value about; do
    found+=("\${value//:/\\\\:}:$about")
  done < <(@PROGRAM@ complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe -V @WORD@ found; else _files; fi
}
compdef _@WORD@ @WORD@
`,
  fish: `function __@WORD@_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l prefix (commandline -ct)
  set -l found (@PROGRAM@ complete -- $words "$prefix" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$prefix"
  end
end
complete -c @WORD@ -f -k -a '(__@WORD@_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName @WORD@ -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
  $next = if ($word -eq '') { @('--next') } else { @() }
  @PROGRAM@ complete @next '--' @words 2>$null | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
  }
}
`,
}

/** Completes a word by calling the program: the word is its last name, `sandbox`. */
export function scriptFor(shell: Shell, program: string): string {
  const word = basename(program.split(' ').at(-1)!).replace(/\.(js|ts|exe)"?$/, '')
  return SCRIPTS[shell].replaceAll('@PROGRAM@', program).replaceAll('@WORD@', word)
}
