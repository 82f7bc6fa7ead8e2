import type { Command } from 'commander'
import type { z } from 'zod'
import type { Api } from '../../registry/api.ts'
import type { Operation } from '../../words/operation.ts'
import type { CommandFacts } from '../help/facts.ts'
import type { CommandGroup } from '../help/groups.ts'
import type { Paint } from '../output/paint.ts'
import type { ExitCode } from '../process/exit.ts'
import type { Run, Session } from '../session/session.ts'
import type { Field } from './fields.ts'

/** One of several commands for the same operation. */
export interface Variant {
  name: string
  summary: string
  /** Body fields whose value the command implies. */
  preset: Readonly<Record<string, unknown>>
  /** Fields that cannot be combined with `preset`. */
  without?: readonly string[]
  /** Fields that are optional in the operation and required here. */
  required?: readonly string[]
}

export interface ArgumentOverlay {
  /** Its name in help. */
  name?: string
  describe?: string
  /** Its value in the examples of commands that have none of their own. */
  example?: string
  read?: (text: string, session: Session) => Promise<string>
  /**
   * Options that may stand for the argument: its value is the id of the one record that has theirs. Without any of them, one
   * record must fit.
   */
  found?: {
    fits(record: Readonly<Record<string, unknown>>): boolean
    fields: readonly Field[]
    /** The records among which options choose. */
    find(
      session: Session,
      params: Readonly<Record<string, string>>,
    ): Promise<readonly Readonly<Record<string, unknown>>[]>
  }
}

type RequestFields = Readonly<Record<string, unknown>>

/** Words by what they are about. */
type Words = Readonly<Record<string, string>>

/** Reads the fields that an argument sets. */
export type FieldsInWord = (text: string) => RequestFields

/** Additions of a command to its operation. */
export interface Overlay<Answer = unknown> {
  /** The name of the command, if that of the operation is misleading; the latter stays as a hidden command. */
  name?: string
  /** A verb that users of other nouns type. */
  alias?: string
  exits?: CommandFacts['exits']
  /** The exit code for an answer that reports a failure. */
  exitOf?(answer: Answer): ExitCode
  /** The operation gets no command here, because another command does it. */
  skip?: boolean
  /** Options whose name differs from the field's. */
  flags?: Readonly<Record<string, string>>
  /** By field: the heading in help above its option and those that follow. */
  headings?: Readonly<Record<string, string>>
  /** Values for fields that the user did not give. */
  defaults?(request: RequestFields): RequestFields
  /** Options that set a boolean field to false: `--off` in addition to `--on`. */
  opposites?: Readonly<Record<string, string>>
  /** Fields that may also be arguments, after those of the path. */
  positional?: readonly string[]
  /** Arguments that set several fields: `scaled:60`. */
  words?: Readonly<Record<string, FieldsInWord>>
  /** Objects whose fields become options: `match.to` is `--to`. This overlay names them with the dot. */
  spread?: readonly string[]
  /** A second name without the noun: `sandbox explain`. */
  shortcut?: string
  /** By path parameter. */
  args?: Readonly<Record<string, ArgumentOverlay>>
  /** By field: the words of its option, and how its text is read. */
  reads?: Readonly<Record<string, { describe: string; read: (text: string, session: Session) => Promise<string> }>>
  variants?: readonly Variant[]
  /** Columns of a table, the most important first. */
  columns?: readonly string[]
  /** Fields of the answer that hold amounts in EUR. */
  money?: readonly string[]
  /** Called when the operation starts; the returned function is called when it has ended. */
  meanwhile?(session: Session): () => void
  /** The answer without what would fill the screen, and the number of items left out; --query still finds all of it. */
  shorten?(answer: Answer): Answer & { left_out?: Readonly<Record<string, number>> }
  /** Prints the answer for people; its texts are printable. */
  forPeople?(answer: Answer, paint: Paint, request: RequestFields, found: Words): string
  /** Says on stderr what the answer leaves out. */
  remark?(session: Session, answer: Answer): Promise<void>
  /** Words for people that take further calls. */
  lookUp?(session: Session, answer: Answer): Promise<Words>
  /**
   * The sentence about what was done, with fields of the answer and the path in braces: `contact {id} is deleted`; by
   * HTTP status where that decides it.
   */
  done?: string | Readonly<Record<number, string>>
  /** Optional fields that are also requested if a required one is missing. */
  asks?: readonly string[]
  /** Sentences for help beyond the contract. */
  notes?: string
  /** By default, the command with the examples of its arguments. */
  examples?: readonly string[]
}

/** Adds a command to the program or to a noun. */
export type AddCommand = (program: Command, run: Run) => void

type AnswerOf<O> = O extends Operation ? z.output<O['output']> : never

/** Additions of a noun's commands to its contract, of any noun by default; `nouns/<noun>.ts` exports it as `commands`. */
export interface NounCommands<Noun extends keyof Api = never> {
  /** By verb of the operation. */
  readonly verbs?: [Noun] extends [never]
    ? Readonly<Record<string, Overlay>>
    : { readonly [Verb in keyof Api[Noun]]?: Overlay<AnswerOf<Api[Noun][Verb]>> }
  /** Verbs that come first in help. */
  readonly first?: readonly string[]
  /** The group in `sandbox help`, where the heading in the documents is not the right one. */
  readonly group?: CommandGroup
  /** By path parameter: what it is in each of the commands. */
  readonly args?: Overlay['args']
  /** Sentences for the help of the noun. */
  readonly notes?: string
  /** The command whose first example the help of the noun shows. */
  readonly example?: string
  /** A sentence on where to find the ids of a noun without a list. */
  readonly ids?: string
  /** Commands that are not generated. */
  readonly handWritten?: readonly AddCommand[]
}
