import type { Io } from './io.ts'
import { type Paint, paintFor } from './paint.ts'

export type ForPeople = (paint: Paint) => string

/** Data on stdout, all else on stderr; words for people on a terminal, JSON for programs. */
export interface Output {
  /** A person reads: stdout is a terminal, and --json is not given. */
  readonly people: boolean
  readonly paint: Paint
  /** The answer of the command, or one item of a stream. */
  data(value: unknown, forPeople: ForPeople): void
  /** Bytes that are the answer, as they are. */
  raw(bytes: Uint8Array | string): void
  /** A remark that only people need. */
  note(forPeople: ForPeople): void
  /** A remark that programs may want too: one line of JSON on stderr. */
  warn(value: Record<string, unknown>, forPeople: ForPeople): void
}

export async function createOutput(io: Io, { json, color }: { json: boolean; color: boolean }): Promise<Output> {
  const people = !json && io.stdout.isTTY === true
  const paint = await paintFor(people && color, io.env)
  const line = (text: string) => (text.endsWith('\n') || text === '' ? text : `${text}\n`)
  return {
    people,
    paint,
    data: (value, forPeople) => void io.stdout.write(people ? line(forPeople(paint)) : `${JSON.stringify(value)}\n`),
    raw: (bytes) => void io.stdout.write(bytes),
    note(forPeople) {
      if (people) io.stderr.write(line(forPeople(paint)))
    },
    warn: (value, forPeople) => void io.stderr.write(people ? line(forPeople(paint)) : `${JSON.stringify(value)}\n`),
  }
}
