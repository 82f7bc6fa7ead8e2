import type { Paint } from '../../../output/paint.ts'

/** The outcome of a row of the file. */
interface WithOutcome {
  line: number
  outcome: string
  to?: unknown
  error?: string
  message?: string
}

const GOOD = ['sent', 'accepted', 'well_formed']

/** A row in words, such as `✓ line 3  +491713920050  msg_…`. */
export function rowInWords({ line, outcome, to }: WithOutcome, what: string, paint: Paint): string {
  const mark = outcome === 'sent_before' ? paint.dim('=') : GOOD.includes(outcome) ? paint.green('✓') : paint.red('✗')
  return `${mark} ${paint.dim(`line ${line}`)}  ${String(to ?? '')}  ${what}`
}

/** A file with this many rows or fewer is shown as a whole. */
const SHORT = 20
/** The rows of a longer file that are shown of those with one outcome for one reason. */
const OF_EACH = 3

/** Chooses the rows of a long file that people see: 500 rows are usually refused for one reason. Programs get every row. */
export class Sample {
  readonly #isShort: boolean
  readonly #alike = new Map<string, number>()
  readonly #hidden = new Map<string, number>()

  constructor(rows: number) {
    this.#isShort = rows <= SHORT
  }

  /** Returns the row in words, or nothing if enough rows like it were shown. */
  show<Row extends WithOutcome>(row: Row, words: (row: Row) => string): string {
    const { outcome, error, message } = row
    const alike = plusOne(this.#alike, [outcome, error, message].join())
    if (this.#isShort || alike <= OF_EACH) return words(row)
    plusOne(this.#hidden, [outcome.replaceAll('_', ' '), ...(error ? [`(${error})`] : [])].join(' '))
    return ''
  }

  /** The lines after the rows: how many were not shown, their sum, and what to do next. */
  end(isGood: boolean, sum: string, hint: string | undefined, paint: Paint): string {
    const counts = [...this.#hidden].map(([what, count]) => `${count} more ${what}`)
    return [
      ...(counts.length > 0 ? [paint.dim(`  Not shown: ${counts.join(', ')}. --output ndjson prints every row.`)] : []),
      `${isGood ? paint.green('✓') : paint.yellow('!')} ${sum}`,
      ...(hint ? [`  ${hint}`] : []),
    ].join('\n')
  }
}

function plusOne(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}
