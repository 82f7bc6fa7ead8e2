import { basename } from 'node:path'
import { shellQuoted } from '../../../words/shell.ts'

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/**
 * Each script runs `complete`, whose lines hold a value, a tab and a description. If it fails, the shell completes files.
 * bash also splits words at = and :, so its script joins them, and offers what follows the last of these signs;
 * what it replaces begins with an @.
 */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_@WORD@_complete() {
  local IFS=$'\\n' line="\${COMP_LINE:0:COMP_POINT}" words=() part rest word found
  for part in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    rest="\${line#"\${line%%[! ]*}"}"
    part="\${rest:0:\${#part}}"
    if [[ $rest = "$line" && \${#words[@]} -gt 0 ]]; then words[\${#words[@]}-1]+="$part"; else words+=("$part"); fi
    line="\${rest:\${#part}}"
  done
  word="\${words[\${#words[@]}-1]}"
  [[ $part = [=:]* ]] && part="\${part##*[=:]}"
  [[ "\${word%"$part"}" = *@ ]] && part="@$part"
  if found="$(@PROGRAM@ complete -- "\${words[@]:1}" 2>/dev/null)"; then
    compopt +o default 2>/dev/null
    COMPREPLY=($(cut -f 1 <<< "$found"))
    COMPREPLY=("\${COMPREPLY[@]#"\${word%"$part"}"}")
  elif [[ $part = @* ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -P @ -- "\${part#@}"))
  fi
}
complete -o default -F _@WORD@_complete @WORD@
`,
  zsh: `_@WORD@() {
  local all value about
  local -a found
  if ! all="$(@PROGRAM@ complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)"; then
    compset -P '--*='
    compset -P '@'
    _files
    return
  fi
  while IFS=$'\\t' read -r value about; do
    [[ -n $value ]] && found+=("\${value//:/\\\\:}\${about:+:$about}")
  done <<< "$all"
  _describe -V @WORD@ found
}
compdef _@WORD@ @WORD@
`,
  fish: `function __@WORD@_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  if set -l found (@PROGRAM@ complete -- $words[2..] $word 2>/dev/null)
    string join \\n -- $found
  else
    set -l parts (string match -r '^["\\']?((?:--[^=]*=)?@?)(.*)' -- $word)
    __fish_complete_path $parts[3] | string replace -r '^' -- $parts[2]
  end
end
complete -c @WORD@ -f -k -a '(__@WORD@_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName @WORD@ -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
  $next = if ($word -eq '') { @('--next') } else { @() }
  & @PROGRAM@ complete @next '--' @words 2>$null | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
  }
}
`,
}

/** Defines the word where no such program is installed, such as in a project that calls the program with npx. */
const DEFINITIONS: Readonly<Record<Shell, string>> = {
  bash: `command -v @WORD@ >/dev/null || @WORD@() { @PROGRAM@ "$@"; }
`,
  zsh: `command -v @WORD@ >/dev/null || @WORD@() { @PROGRAM@ "$@"; }
`,
  fish: `type -q @WORD@; or function @WORD@; @PROGRAM@ $argv; end
`,
  powershell: `if (-not (Get-Command @WORD@ -ErrorAction SilentlyContinue)) { function global:@WORD@ { & @PROGRAM@ @args } }
`,
}

const QUOTED: Readonly<Record<Shell, (word: string) => string>> = {
  bash: shellQuoted,
  zsh: shellQuoted,
  fish: (word) => `'${word.replaceAll(/[\\']/g, '\\$&')}'`,
  powershell: (word) => `'${word.replaceAll("'", "''")}'`,
}

/** Completes a word by calling the program with these words: it is the name of the last one, `sandbox`. */
export function scriptFor(shell: Shell, words: readonly string[]): string {
  const word = basename(words.at(-1)!).replace(/\.(js|ts|exe)$/, '')
  const program = words.map((word) => (/^[\w./:-]+$/.test(word) ? word : QUOTED[shell](word))).join(' ')
  return [program === word ? '' : DEFINITIONS[shell], SCRIPTS[shell]]
    .join('')
    .replaceAll('@PROGRAM@', () => program)
    .replaceAll('@WORD@', word)
}
