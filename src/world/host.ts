import type { Pace } from '../words/pace.ts'
import type { CombinedNouns } from './combined-nouns.ts'
import type { Database } from './storage/database.ts'
import type { Snapshot, Snapshots } from './storage/snapshots.ts'
import type { World } from './world.ts'

/** What can be told of a world without waking it. */
export interface WorldSummary {
  readonly pace: Pace
  /** On the world's clock, ms. */
  readonly now: number
  /** When the next thing is to happen there, if anything is. */
  readonly nextDueAt: number | undefined
}

/** What a world is opened from. */
export interface Opening {
  db: Database
  /** What is to be settled before anything happens in it; undefined when it merely wakes. */
  initialize?: ((world: World) => void) | undefined
}

/** Where a world lies while it sleeps. */
export interface WorldStorage {
  open(world: World): Opening
  /** Keeps the world as it is, then closes its database. Throws where it cannot be kept; it is open then as before. */
  saveAndClose(world: World, db: Database): void
  /** The database was closed without being kept. */
  closed(world: World, db: Database): void
  /** What is to be done when it is opened next, before anything happens in it. */
  onNextOpen(world: World, work: (world: World) => void): void
}

/** What a world knows of the process it lives in. */
export interface Host {
  /** What the concepts bring to worlds. Nothing is scheduled or done, reset or dumped before they are read in. */
  readonly nouns: CombinedNouns
  /** Reads in what the concepts bring; undefined once it is there. */
  loadNouns(): Promise<unknown> | undefined
  /** How many namespaces there are, open and asleep. */
  readonly count: number
  /** How many there may be, and how many of them are kept open. */
  readonly limits: { readonly most: number; readonly open: number }
  /** In order of their names. */
  all(): readonly World[]
  readonly snapshots: Snapshots
  /** Puts a world back to how it started. */
  reset(world: World): Promise<void>
  /** Loads a section of the start-up world file again, if it has one of this name. */
  reloadSection(world: World, section: string): void
  /** Takes a world away with all that is in it. */
  remove(world: World): Promise<void>
  /** Keeps a copy of the world under a name. */
  saveSnapshot(world: World, name: string): Snapshot
  /** Keeps the bytes of a snapshot of another process. */
  importSnapshot(name: string, bytes: Buffer): Snapshot
  /** Puts a world to the state of a snapshot. */
  restore(world: World, name: string): Promise<void>
  /** Makes a namespace from a snapshot, or puts one that is there to its state. */
  fork(name: string, namespace: string): Promise<World>
}
