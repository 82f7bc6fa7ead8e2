import { suggest } from '../../words/suggest.ts'
import { usage } from '../process/exit.ts'
import { parserOf } from '../process/parser-of.ts'

/** The separator of the cells of a CSV file. */
export const delimiterOf = parserOf((text) => {
  const character = text === '\\t' || text === 'tab' ? '\t' : text
  return /^[^\w"\r\n]$/.test(character) ? character : undefined
}, 'It must be one character, such as ";".')

/** The columns that a CSV file may have. */
interface Columns {
  names: readonly string[]
  /** Begins the name of any further column: `var.`. */
  prefix: string
  /** All of them, for people. */
  listed: string
}

/** Reads the first line of a CSV file. Of two equal columns the later would replace the earlier, and an unknown one would be lost. */
export function columnsIn(header: readonly string[], file: string, { names, prefix, listed }: Columns): string[] {
  const columns = header.map((name) => name.trim())
  for (const [i, name] of columns.entries()) {
    if (columns.indexOf(name) !== i) throw usage(`${file} has two columns "${name}".`)
    if (names.includes(name) || (name.startsWith(prefix) && name.length > prefix.length)) continue
    throw usage(
      `${file} has an unknown column "${name}"${suggest(name, names) || '.'}`,
      delimiterHint(name) ?? `${isValue(name) ? 'The first line must name the columns. ' : ''}Columns: ${listed}.`,
    )
  }
  return columns
}

/** A phone number or an email address: the file has no first line with names. */
const isValue = (name: string) => /^\+?\d+$|@/.test(name)

/** A column name with another separator in it is the whole first line. */
function delimiterHint(column: string): string | undefined {
  const other = /[;\t]/.exec(column)?.[0]
  return other && `Is it separated by "${other}"? Pass --delimiter "${other}".`
}
