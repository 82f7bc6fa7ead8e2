import type { z } from 'zod'
import { type Operation, operationsIn, type Parsed, type PathParams, placeOf, type VerbOf } from '../words/operation.ts'
import type { Reply, Stream } from '../words/reply.ts'
import type { Scope } from '../words/vocabulary.ts'
import { loadEach } from './file/entries.ts'
import type { Hooked } from './hook.ts'
import type { Timer } from './time/timer-store.ts'
import type { World } from './world.ts'

/** The circumstances of a call. */
export interface Caller {
  readonly ip: string
  readonly requestId: string
  /** `http://localhost:7270`: the address that the caller used or a shared sandbox configures, with `/ns/<name>` if the caller used it. */
  readonly baseUrl: string
  /** The caller is a browser, in which any page can send requests, or the request is a HEAD. */
  readonly isBrowser: boolean
  /** The position of a reconnecting reader (`Last-Event-ID`). */
  readonly lastEventId?: string | undefined
  /** The accepted content types (`Accept`). */
  readonly accept?: string | undefined
  /** In a shared sandbox, the namespace to which the caller is confined; undefined for callers who see all. */
  readonly tenant?: string | undefined
  /** Aborts when the server stops or the caller leaves. */
  readonly signal: AbortSignal
}

export interface Call<O extends Operation> {
  readonly params: PathParams<O['path']>
  readonly query: Parsed<O['query']>
  readonly body: Parsed<O['body']>
  readonly caller: Caller
}

type Answer<O extends Operation> = z.input<O['output']> | Reply | Stream

/** An action: gathers facts, decides, applies. Runs in one transaction. */
export type Action<O extends Operation> = (world: World, call: Call<O>) => Answer<O>
/** An action that opens its own transactions. */
export type AsyncAction<O extends Operation> = (world: World, call: Call<O>) => Promise<Answer<O>>

/** How the server runs an action that takes longer than a turn. */
type AsyncMode =
  /** An auto clock waits for the action. */
  | 'async'
  /** The action moves time or waits for it, so an auto clock does not wait for the action. */
  | 'letsTimePass'
  /** The action replaces its own world, so a replacement does not wait for it. */
  | 'replacesWorld'

/** How the server runs an action in one transaction. */
type SyncMode =
  | 'transaction'
  /** The action never refuses after it has written, so it needs no savepoint. */
  | 'decidesFirst'

type Asynchronous = (...args: never) => Promise<unknown>

export interface Route {
  readonly operation: Operation
  readonly mode: SyncMode | AsyncMode
  readonly action: (world: World, call: Call<Operation>) => unknown
}

export const route = <O extends Operation, A extends Action<O> | AsyncAction<O>>(
  operation: O,
  action: A,
  ...[mode = 'transaction']: A extends Asynchronous ? [AsyncMode] : [SyncMode?]
): Route => ({ operation, mode, action: action as unknown as Route['action'] })

type OperationIn<Contract> = Extract<Contract[keyof Contract], Operation>

/** An action for each operation of a contract, by its verb. */
type ActionsOf<Contract> = {
  readonly [O in OperationIn<Contract> as VerbOf<O['id']>]: Action<O> | AsyncAction<O>
}

/** The modes of a contract's actions: required for those that return a promise. */
type ModesOf<Contract, Actions extends ActionsOf<Contract>> = {
  readonly [V in keyof ActionsOf<Contract> as Actions[V] extends Asynchronous ? V : never]: AsyncMode
} & {
  readonly [V in keyof ActionsOf<Contract> as Actions[V] extends Asynchronous ? never : V]?: SyncMode
}

/** The routes of a contract. A missing action is a type error, and so is a missing mode of an asynchronous one. */
export function routesOf<Contract extends object, Actions extends ActionsOf<Contract>>(
  contract: Contract,
  actions: Actions,
  ...[modes]: object extends ModesOf<Contract, Actions> ? [ModesOf<Contract, Actions>?] : [ModesOf<Contract, Actions>]
): readonly Route[] {
  return operationsIn(contract).map((operation) => {
    const { verb } = placeOf(operation)
    const { [verb]: action } = actions as unknown as Record<string, Route['action']>
    const { [verb]: mode = 'transaction' } = (modes ?? {}) as Record<string, Route['mode']>
    return { operation, mode, action: action! }
  })
}

/** Due work that runs in the transaction that deletes its row. */
export type LocalWork = (world: World, timer: Timer) => void

/** Due work that calls other servers. Its result runs in the transaction that deletes the row. */
export type NetworkWork = (world: World, timer: Timer, signal: AbortSignal) => Promise<() => void>

export interface DumpOptions {
  readonly secrets: boolean
}

/**
 * A section of the world file: its schema, how it becomes rows, and how rows become it again.
 *
 * `dump` returns the section in readable form: `300ms..2s`, not milliseconds. Defaults and undefined values are removed
 * from the file afterwards. A dump does not contain work in progress.
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

/** A section that is a list: `load` gets its entries one by one. */
export const listSection = <S extends z.ZodType<readonly unknown[]>>(
  key: string,
  schema: S,
  load: (world: World, entry: z.output<S>[number], index: number) => void,
  dump: Section<S>['dump'],
): Section => section(key, schema, (world, list) => loadEach(key, list, (...entry) => load(world, ...entry)), dump)

/** By scope of `POST /_sandbox/reset`; all nouns run in one transaction. */
export type Resets = Readonly<Partial<Record<Exclude<Scope, 'all'>, (world: World) => void>>>

/** The contribution of one folder to every world. */
export interface Noun {
  readonly tables?: string
  readonly routes?: readonly Route[]
  readonly localWork?: Readonly<Record<string, LocalWork>>
  readonly networkWork?: Readonly<Record<string, NetworkWork>>
  /** Kinds of due work that an auto clock does not jump to, but runs on its way. */
  readonly passive?: readonly string[]
  readonly sections?: readonly Section[]
  readonly resets?: Resets
  /** Contributions to hooks of nouns below. */
  readonly hooks?: readonly Hooked[]
  /** Changes rows of a copy (of the template or a snapshot) before it becomes the world. */
  readonly onCopied?: (world: World) => void
  /** Copies rows into the world that replaces another in a reset or restore. */
  readonly carryOver?: (before: World, world: World) => void
  /** Drops in-memory data of a world that was reset or restored. */
  readonly onReplaced?: (world: World) => void
}
