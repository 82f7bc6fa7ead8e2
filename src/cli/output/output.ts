import type { Io, Question } from '../process/io.ts'
import { noPaint, type Paint, paintFor } from './paint.ts'
import { jsonOf, printableIn, printableLines, printableStyled } from './printable.ts'
import { listIn } from './rows.ts'
import { wrapped } from './wrap.ts'
import { type Format, writerOf } from './writers.ts'

/** Renders a value for people. `shown` is a copy of the value whose texts are safe to print. */
type ForPeople<T = unknown> = (paint: Paint, shown: T) => string

/** Data goes to stdout, everything else to stderr; as text for people, as JSON for programs. */
export interface Output {
  /** True for a terminal without another --output format, and for --output table. */
  readonly isForPeople: boolean
  /** True if stdin and stdout are terminals, so that questions can be asked. */
  readonly canAsk: boolean
  /** Asks the user; only where `canAsk` is true. */
  ask(question: Question): Promise<string>
  readonly paint: Paint
  /** True if --query selects a part of what is printed. */
  readonly isSelected: boolean
  /** Prints the one answer of the command. */
  data<T>(value: T, forPeople: ForPeople<T>): void
  /** Prints one of several answers, or of a stream; programs get a line of JSON for each. */
  item<T>(value: T, forPeople: ForPeople<T>): void
  /** Prints bytes unchanged. */
  raw(bytes: Uint8Array | string): void
  /** Replaces `sandbox` in the commands of a text by the words that called this program. */
  withProgramName(text: string): string
  /** Options that lead the commands of hints to the same service: ` --profile real --live`. */
  aimHintsAt(targetFlags: string): void
  /** Prints a remark that programs do not need. */
  note(words: (paint: Paint) => string): void
  /** Shows a line at the end of a terminal until something else is printed; an empty one removes it. Programs get nothing. */
  progress(line: string): void
  /**
   * Prints a remark on stderr; programs get it as one line of JSON, people its message and hint, or other words. Commands in the
   * hint are written as they are typed here.
   */
  warn(remark: Remark & Record<string, unknown>): void
  warn<T extends Record<string, unknown>>(value: T, forPeople: ForPeople<T>): void
}

/** What a user should know; `hint` says what to do about it. */
interface Remark {
  message: string
  hint?: string
}

interface OutputOptions {
  /** The value of --output; the default depends on whether stdout is a terminal. */
  format: Format | undefined
  color: boolean
  /** See {@link Output.withProgramName}. */
  withProgramName(text: string, targetFlags: string): string
}

export async function createOutput(io: Io, { format: wanted, color, withProgramName }: OutputOptions): Promise<Output> {
  const isTerminal = io.stdout.isTTY === true
  const format = wanted ?? (isTerminal ? 'table' : 'json')
  const isForPeople = format === 'table'
  let targetFlags = ''
  const aimed = (text: string) => withProgramName(text, targetFlags)
  const paint = isForPeople ? await paintFor(color && isTerminal, io, aimed) : noPaint
  const writer = isForPeople ? undefined : await writerOf(format, isTerminal)
  let progressLine = ''
  const progress = (line: string) => {
    if (line !== progressLine) io.stderr.write(`\r${line}\u001b[K`)
    progressLine = line
  }
  const write = (sink: Io['stdout'], text: string) => {
    if (text === '') return
    progress('')
    sink.write(text.endsWith('\n') ? text : `${text}\n`)
  }
  const lines = (sink: Io['stdout'], text: string) =>
    write(sink, wrapped(printableStyled(text), paint.columns, paint.widthOf))
  const words = <T>(sink: Io['stdout'], value: T, forPeople: ForPeople<T>) =>
    lines(sink, forPeople(paint, printableIn(value)))
  // The prompt begins with a mark of its own, and would break the line in the middle of a word.
  const inquired = (message: string) => wrapped(`? ${message}`, paint.columns, paint.widthOf).slice(2)
  return {
    isForPeople,
    canAsk: isForPeople && isTerminal && io.stdin.isTTY === true,
    ask: (question) => io.ask({ ...question, message: inquired(question.message) }),
    paint,
    isSelected: false,
    data(value, forPeople) {
      if (writer) write(io.stdout, writer.answer(value))
      else words(io.stdout, value, forPeople)
      // Formats that print only records cannot show that the list has more pages.
      const list = writer?.leavesOutRest ? listIn(value) : undefined
      if (list?.rest.has_more === true) write(io.stderr, jsonOf({ type: 'more', ...list.rest }))
    },
    item(value, forPeople) {
      if (writer) write(io.stdout, writer.item(value))
      else words(io.stdout, value, forPeople)
    },
    withProgramName: aimed,
    aimHintsAt(flags) {
      targetFlags = flags
    },
    raw: (bytes) => void io.stdout.write(isTerminal ? printableLines(Buffer.from(bytes).toString()) : bytes),
    progress(line) {
      if (isForPeople && io.stderr.isTTY) progress(line)
    },
    note(remark) {
      if (isForPeople) lines(io.stderr, remark(paint))
    },
    warn<T extends { hint?: unknown }>(value: T, forPeople = remarkInWords as unknown as ForPeople<T>) {
      const remark = typeof value.hint === 'string' ? { ...value, hint: aimed(value.hint) } : value
      if (isForPeople) words(io.stderr, remark, forPeople)
      else write(io.stderr, jsonOf(remark))
    },
  }
}

const remarkInWords: ForPeople<Remark> = (paint, { message, hint }) =>
  [paint.yellow(`! ${message}`), ...(hint === undefined ? [] : [paint.dim(`  ${hint}`)])].join('\n')
