import type { Activity } from '../words/activity.ts'
import type { Pace } from '../words/pace.ts'
import type { CombinedNouns } from './combined-nouns.ts'
import type { Snapshot, Snapshots } from './snapshots.ts'
import type { Database } from './storage/database.ts'
import type { World } from './world.ts'

/** What can be told of a world without opening it. */
export interface WorldSummary {
  readonly pace: Pace
  /** On the world's clock, ms. */
  readonly now: number
  /** When the next row falls due, if there is one. */
  readonly nextDueAt: number | undefined
}

/** Where the databases of worlds are kept. */
export interface WorldStorage {
  open(world: World): Database
  /** Called after each opening, before anything is done in the world. */
  opened(world: World): void
  /** Throws where the world cannot be saved; its database is open then as before. */
  saveAndClose(world: World, db: Database): void
  /** Its database was closed without being saved. */
  closed(world: World, db: Database): void
  /** Writes another state, whole or not at all. The world must not be open. */
  replace(world: World, image: Buffer): void
  /** Keeps what was damaged for those who want to recover something of it. */
  setAside(world: World): void
}

/** What a world knows of the process it lives in. */
export interface Host {
  /** What all nouns bring. Nothing is scheduled or done, reset or dumped before they are loaded. */
  readonly nouns: CombinedNouns
  /** Undefined once they are loaded. */
  loadNouns(): Promise<unknown> | undefined
  /** How many namespaces there are, open and evicted. */
  readonly count: number
  /** How many there may be, and how many of them are kept open. */
  readonly limits: { readonly most: number; readonly open: number }
  /** Called with what happens in any of them, where somebody watches. */
  readonly onActivity: ((activity: Activity) => void) | undefined
  /** In order of their names. */
  all(): readonly World[]
  readonly snapshots: Snapshots
  /** Puts a world back to how it started. */
  reset(world: World): Promise<void>
  /** Loads a section of the start-up world file again, if it has one of this name. */
  reloadSection(world: World, section: string): void
  /** Deletes a world with all that is in it. */
  remove(world: World): Promise<void>
  saveSnapshot(world: World, name: string): Snapshot
  /** Keeps the bytes of a snapshot of another process. */
  importSnapshot(name: string, bytes: Buffer): Snapshot
  /** Puts a world to the state of a snapshot. */
  restore(world: World, name: string): Promise<void>
  /** Makes a namespace from a snapshot, or puts one that exists to its state. */
  fork(name: string, namespace: string): Promise<World>
}
