import type { z } from 'zod'
import type { Operation, Parsed, PathParams } from '../words/operation.ts'
import type { Reply, Stream } from '../words/reply.ts'
import type { Scope } from '../words/vocabulary.ts'
import type { Hooked } from './hook.ts'
import type { Timer } from './time/timer-store.ts'
import type { World } from './world.ts'

/** A call, besides its parsed input. */
export interface Caller {
  readonly ip: string
  readonly requestId: string
  /** `http://localhost:7270`, as the caller addressed the server; with `/ns/<name>` where it did so. */
  readonly baseUrl: string
  /** A browser asks, perhaps because of a page that its user only looks at; or a probe that wants the head alone. */
  readonly isBrowser: boolean
  /** Where a reader of a stream that broke off wants to go on (`Last-Event-ID`). */
  readonly lastEventId?: string | undefined
  /** What kinds of answer the caller wants (`Accept`). */
  readonly accept?: string | undefined
  /** The server is stopping, or the caller has left. */
  readonly signal: AbortSignal
}

export interface Call<O extends Operation> {
  readonly params: PathParams<O['path']>
  readonly query: Parsed<O['query']>
  readonly body: Parsed<O['body']>
  readonly caller: Caller
}

type Answer<O extends Operation> = z.input<O['output']> | Reply | Stream

/** An action: gathers facts, decides, applies. Runs in one transaction unless its route is async. */
export type Action<O extends Operation> = (world: World, call: Call<O>) => Answer<O>
export type AsyncAction<O extends Operation> = (world: World, call: Call<O>) => Promise<Answer<O>>

export interface Route {
  readonly operation: Operation
  /** The action takes longer than a turn of the event loop, and takes its own transactions. */
  readonly isAsync: boolean
  /** The action replaces the world that is asked, so it does not count among the requests that a replacement waits for. */
  readonly replacesWorld?: boolean
  /** The action moves time or waits for it, so a clock that jumps does not wait for the action. */
  readonly letsTimePass?: boolean
  /** The action refuses before it writes, never after, which spares it a savepoint. */
  readonly decidesFirst?: boolean
  readonly action: (world: World, call: Call<Operation>) => unknown
}

export const route = <O extends Operation>(operation: O, action: Action<O>, { decidesFirst = false } = {}): Route => ({
  operation,
  isAsync: false,
  decidesFirst,
  action: action as unknown as Route['action'],
})

export const routeAsync = <O extends Operation>(
  operation: O,
  action: AsyncAction<O>,
  { letsTimePass = false } = {},
): Route => ({
  operation,
  isAsync: true,
  letsTimePass,
  action: action as unknown as Route['action'],
})

/** An action that may reset, restore or delete the world that is asked, or others. */
export const routeReplacing = <O extends Operation>(operation: O, action: AsyncAction<O>): Route => ({
  ...routeAsync(operation, action),
  replacesWorld: true,
})

/** Work of a due row, in the transaction that deletes the row. */
export type LocalWork = (world: World, timer: Timer) => void

/** Work that speaks to the network. The function that it resolves to runs in the transaction that deletes the row. */
export type NetworkWork = (world: World, timer: Timer, signal: AbortSignal) => Promise<() => void>

export interface DumpOptions {
  /** Whether webhook secrets are part of the dump. */
  readonly secrets: boolean
}

/**
 * A section of the world file: its schema, how it becomes rows, and how rows become it again.
 *
 * `dump` gives the section as somebody would write it: `300ms..2s`, not milliseconds. It may say everything; what the
 * schema fills in by itself, and what is undefined, is left out of the file. What is under way is not part of a dump.
 */
export interface Section<S extends z.ZodType = z.ZodType> {
  readonly key: string
  readonly schema: S
  readonly load: (world: World, value: z.output<S>) => void
  readonly dump: (world: World, options: DumpOptions) => z.input<S> | undefined
}

export const section = <S extends z.ZodType>(
  key: string,
  schema: S,
  load: Section<S>['load'],
  dump: Section<S>['dump'],
): Section => ({ key, schema, load, dump }) as unknown as Section

/** What `POST /_sandbox/reset` puts back by each scope but `all`, in one transaction for all concepts. */
export type Resets = Readonly<Partial<Record<Exclude<Scope, 'all'>, (world: World) => void>>>

/** What one folder brings to every world. */
export interface Noun {
  readonly tables?: string
  /** Where several paths fit a request, the first route answers it. */
  readonly routes?: readonly Route[]
  readonly localWork?: Readonly<Record<string, LocalWork>>
  readonly networkWork?: Readonly<Record<string, NetworkWork>>
  /** Kinds of due work that nobody waits for: an auto clock does not jump to them, and does them on its way. */
  readonly passive?: readonly string[]
  readonly sections?: readonly Section[]
  /** Puts back a part of the world, by the scope of a reset. */
  readonly resets?: Resets
  /** Where it takes part in the work of nouns below it. */
  readonly hooks?: readonly Hooked[]
  /** Changes rows of a copy (of the template or of a snapshot) before it becomes the world: reset, restored or forked. */
  readonly onCopied?: (world: World) => void
  /** Drops what it keeps in memory about a world that was reset or restored. */
  readonly onReplaced?: (world: World) => void
}
