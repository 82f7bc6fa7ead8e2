import { FIRST_PAGE, PROGRAM } from './help/first-page.ts'
import { fitted, widthOfHelp } from './help/wrap.ts'
import { handleOutputErrors } from './process/output-errors.ts'
import { programName, workingFolder } from './process/program-name.ts'
import { versionLine } from './process/version-line.ts'

/** Answers `--version` and `--help` without the other commands. Returns whether it did. */
export function answerAtOnce(argv: readonly string[]): boolean {
  const text = argv.length === 1 ? answerTo(argv[0]!) : undefined
  if (text === undefined) return false
  handleOutputErrors()
  process.stdout.write(text)
  return true
}

function answerTo(word: string): string | undefined {
  if (word === '--version' || word === '-V') return `${versionLine()}\n`
  if (FIRST_PAGE === undefined || (word !== '--help' && word !== '-h')) return undefined
  const program = programName(process, workingFolder())
  return fitted(
    FIRST_PAGE.replaceAll(PROGRAM, () => program),
    widthOfHelp(process.stdout),
  )
}
