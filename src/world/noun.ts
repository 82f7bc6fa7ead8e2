import type { z } from 'zod'
import type { Operation, Parsed, PathParams } from '../words/operation.ts'
import type { Reply, Stream } from '../words/reply.ts'
import type { Timer } from './timers.ts'
import type { World } from './world.ts'

/** What an action learns of a call besides its parsed input. */
export interface Caller {
  readonly ip: string
  readonly requestId: string
  /** `http://localhost:7270`, as the caller addressed the server. */
  readonly baseUrl: string
  /** Where a reader of a stream that broke off wants to go on (`Last-Event-ID`). */
  readonly lastEventId?: string | undefined
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

/** An action: gathers facts, decides, applies. Runs in one transaction unless it is declared `outside`. */
export type Action<O extends Operation> = (world: World, call: Call<O>) => Answer<O>
export type OutsideAction<O extends Operation> = (world: World, call: Call<O>) => Promise<Answer<O>>

export interface Route {
  readonly operation: Operation
  /** Speaks to the network or moves time, so it takes its own transactions. */
  readonly outside: boolean
  readonly action: (world: World, call: Call<Operation>) => unknown
}

export const route = <O extends Operation>(operation: O, action: Action<O>): Route => ({
  operation,
  outside: false,
  action: action as unknown as Route['action'],
})

export const routeOutside = <O extends Operation>(operation: O, action: OutsideAction<O>): Route => ({
  operation,
  outside: true,
  action: action as unknown as Route['action'],
})

/** Work of a due row, inside the transaction that deletes it. */
export type InsideWork = (world: World, timer: Timer) => void

/** Work that leaves the process; the function it resolves to is run in the transaction that deletes the row. */
export type OutsideWork = (world: World, timer: Timer, signal: AbortSignal) => Promise<() => void>

/** A section of the world file: its schema, and how it becomes rows. */
export interface Section<S extends z.ZodType = z.ZodType> {
  readonly key: string
  readonly schema: S
  readonly load: (world: World, value: z.output<S>) => void
}

export const section = <S extends z.ZodType>(key: string, schema: S, load: Section<S>['load']): Section =>
  ({ key, schema, load }) as unknown as Section

/** What one folder of the house brings to the emulator. */
export interface Noun {
  /** Its tables. */
  readonly tables?: string
  readonly routes?: readonly Route[]
  readonly inside?: Readonly<Record<string, InsideWork>>
  readonly outside?: Readonly<Record<string, OutsideWork>>
  readonly sections?: readonly Section[]
}
