import type { Command } from 'commander'
import type { z } from 'zod'
import type { Api } from '../../registry/api.ts'
import type { Operation } from '../../words/operation.ts'
import type { PaintedText } from '../output/output.ts'
import type { Run, Session } from '../session/session.ts'

/** One command made from an operation; an operation can have several. */
export interface Variant {
  name: string
  summary: string
  /** Fields of the body that this command decides. */
  preset: Readonly<Record<string, unknown>>
  /** Fields that make no sense beside those. */
  without?: readonly string[]
  /** Fields that this command cannot do without, though the operation can. */
  required?: readonly string[]
}

/** A body or query. */
export type RequestFields = Readonly<Record<string, unknown>>

/** What a command has that its operation does not say. */
export interface Overlay<Answer = unknown> {
  /** Another command does this. */
  skip?: boolean
  /** Flag of a field where its own name would be clumsy. */
  flags?: Readonly<Record<string, string>>
  /** What is asked for where the user leaves it open. */
  defaults?(asked: RequestFields): RequestFields
  /** A second flag of a field that is true or false, which says that it is false: `--off` beside `--on`. */
  opposites?: Readonly<Record<string, string>>
  /** Fields that may be given as plain arguments, after those of the path. */
  positional?: readonly string[]
  /** Plain arguments that say several fields at once: `scaled:60`. */
  words?: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>>
  /** Objects whose fields are flags of their own: `match.to` is `--to`. Their names in this overlay have the dot. */
  spread?: readonly string[]
  /** The command can also be called under this name without its noun: `sandbox explain`. */
  shortcut?: string
  /** What is said of a path argument, and how it is read. */
  args?: Readonly<
    Record<string, { name?: string; describe?: string; read?: (text: string, session: Session) => Promise<string> }>
  >
  variants?: readonly Variant[]
  /** What a table of the answer shows, what matters most first. */
  columns?: readonly string[]
  /** Fields of the answer that are amounts of money, in EUR. */
  money?: readonly string[]
  /** The answer in words; its texts are printable. */
  forPeople?(answer: Answer, asked: RequestFields): PaintedText
  /**
   * What was done, as a sentence with fields of the answer and of the path in braces: `contact {id} is deleted`. By the status,
   * where that decides what it was.
   */
  done?: string | Readonly<Record<number, string>>
  /** Fields that a person is asked for too, when the command asks for what is missing. */
  asks?: readonly string[]
  examples?: readonly string[]
}

/** Adds a command to the program, or to a noun. */
export type AddCommand = (program: Command, run: Run) => void

type AnswerOf<O> = O extends Operation ? z.output<O['output']> : never

/** What the commands of a noun have that its contract does not say; `nouns/<noun>.ts` exports it as `commands`. */
export interface NounCommands<Noun extends keyof Api = never> {
  /** By the verb of the operation. */
  readonly verbs?: { readonly [Verb in keyof Api[Noun]]?: Overlay<AnswerOf<Api[Noun][Verb]>> }
  /** Where its ids are to be found, where it has no list; a sentence. */
  readonly ids?: string
  /** Commands made by hand, under the noun beside the others. */
  readonly handWritten?: readonly AddCommand[]
}
