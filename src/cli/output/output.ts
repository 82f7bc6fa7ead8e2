import type { Io } from '../process/io.ts'
import { noPaint, type Paint, paintFor } from './paint.ts'
import { jsonOf, printableIn, printableStyled } from './printable.ts'
import { listIn } from './rows.ts'
import { writerOf } from './writers.ts'

/** Words for people. `shown` is the value with all its texts printable; the value itself holds what others wrote, as it is. */
export type ForPeople<T = unknown> = (paint: Paint, shown: T) => string

/** Output for people of what is printable already. */
export type PaintedText = (paint: Paint) => string

/** Data on stdout, all else on stderr; words for people, JSON for programs. */
export interface Output {
  /** A person reads: stdout is a terminal and no other format is wanted, or words are. */
  readonly isForPeople: boolean
  /** A person sits there who can be asked. */
  readonly canAsk: boolean
  readonly paint: Paint
  /** The answer of the command. */
  data<T>(value: T, forPeople: ForPeople<T>): void
  /** One of the answers of a command that gives several, or goes on: a line of JSON for programs. */
  item<T>(value: T, forPeople: ForPeople<T>): void
  /** Bytes that are the answer, as they are. */
  raw(bytes: Uint8Array | string): void
  /** A text of ours, with its commands as they are typed here. */
  withProgramName(text: string): string
  /** A remark that only people need. */
  note(words: PaintedText): void
  /** A remark that programs may want too: one line of JSON on stderr. */
  warn<T extends Record<string, unknown>>(value: T, forPeople: ForPeople<T>): void
}

/** How the answer of a command is written, by the word after --output. */
export const FORMATS = ['table', 'json', 'yaml', 'ndjson', 'csv'] as const
export type Format = (typeof FORMATS)[number]

interface OutputOptions {
  /** As it was asked for; else by who reads. */
  format: Format | undefined
  color: boolean
  /** Says the commands in a text as this program was called. */
  withProgramName(text: string): string
}

export async function createOutput(io: Io, { format: wanted, color, withProgramName }: OutputOptions): Promise<Output> {
  const isTerminal = io.stdout.isTTY === true
  const format = wanted ?? (isTerminal ? 'table' : 'json')
  const isForPeople = format === 'table'
  const paint = isForPeople ? await paintFor(color && isTerminal, io) : noPaint
  const writer = isForPeople ? undefined : await writerOf(format)
  const write = (sink: Io['stdout'], text: string) =>
    void (text === '' || sink.write(text.endsWith('\n') ? text : `${text}\n`))
  const words = <T>(sink: Io['stdout'], value: T, forPeople: ForPeople<T>) =>
    write(sink, printableStyled(forPeople(paint, printableIn(value))))
  return {
    isForPeople,
    canAsk: isForPeople && isTerminal && io.stdin.isTTY === true,
    paint,
    data(value, forPeople) {
      if (writer) write(io.stdout, writer.answer(value, isTerminal))
      else words(io.stdout, value, forPeople)
      // The lines of a list do not say that it goes on.
      const list = writer?.leavesOutRest ? listIn(value) : undefined
      if (list?.rest.has_more === true) write(io.stderr, jsonOf({ type: 'more', ...list.rest }))
    },
    item(value, forPeople) {
      if (writer) write(io.stdout, writer.item(value))
      else words(io.stdout, value, forPeople)
    },
    withProgramName,
    raw: (bytes) => void io.stdout.write(isTerminal ? printableStyled(Buffer.from(bytes).toString()) : bytes),
    note(remark) {
      if (isForPeople) write(io.stderr, printableStyled(remark(paint)))
    },
    warn(value, forPeople) {
      if (isForPeople) words(io.stderr, value, forPeople)
      else write(io.stderr, jsonOf(value))
    },
  }
}
