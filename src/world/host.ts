import type { Activity } from '../words/activity.ts'
import type { Pace } from '../words/pace.ts'
import type { ClusterControl, PlacedNamespace } from './cluster/cluster.ts'
import type { CombinedNouns } from './combined-nouns.ts'
import type { Fence } from './fence.ts'
import type { Snapshot, Snapshots } from './snapshots/snapshots.ts'
import type { StorageBackend } from './storage/backend.ts'
import type { Database } from './storage/database.ts'
import type { Tenants } from './tenants/tenants.ts'
import type { World } from './world.ts'

/** Facts about a world that are available without opening it. */
export interface WorldSummary {
  readonly pace: Pace
  /** World time, ms. */
  readonly now: number
  /** World time of the next due row. */
  readonly nextDueAt: number | undefined
  /** Size of the database. */
  readonly bytes: number
}

/** The storage of world databases. */
export interface WorldStorage {
  open(world: World): Database
  /** Called after each opening, before the world is used. */
  opened(world: World): void
  readonly backend: StorageBackend
}

/** The process as a world sees it. */
export interface Host {
  /** The loaded nouns. Scheduling, due work, resets and dumps need them. */
  readonly nouns: CombinedNouns
  /** Loads the nouns; undefined once they are loaded. */
  loadNouns(): Promise<unknown> | undefined
  /** The number of namespaces, open and evicted. */
  readonly count: number
  /** The most namespaces allowed, and the most that stay open. */
  readonly limits: { readonly most: number; readonly open: number }
  /** Other machines can reach the sandbox, so webhooks go to public addresses only. */
  readonly isOpenToOthers: boolean
  /** The only allowed targets of webhooks; undefined without a list. */
  readonly allowedTargets: { allows(url: URL): boolean } | undefined
  /** Called with each activity; undefined if nobody watches. */
  readonly onActivity: ((activity: Activity) => void) | undefined
  /** Undefined if this process is not a node of a cluster. */
  readonly cluster: ClusterControl | undefined
  /** Namespaces with data that this process does not have. */
  elsewhere(): Promise<readonly PlacedNamespace[]>
  /**
   * Brings a world that another node of a cluster has to this process, and creates that of a namespace whose keys have
   * not been used yet; its absence is not an error.
   */
  bring(namespace: string): Promise<void>
  /** Sorted by name. */
  all(): readonly World[]
  /** The snapshots that a world may use: its own in a shared sandbox, otherwise all. */
  snapshotsOf(world: World): Snapshots
  /** The access rights to namespaces; undefined if keys are not secret. */
  readonly tenants: Tenants | undefined
  /** Resets a world to its start. */
  reset(world: World): Promise<void>
  /** Reloads one section of the start-up world file, if the file has it. */
  reloadSection(world: World, section: string): void
  remove(world: World, fence?: Fence): Promise<void>
  saveSnapshot(world: World, name: string): Promise<Snapshot>
  /** Adds a snapshot from a file. */
  importSnapshot(world: World, name: string, bytes: Buffer): Promise<Snapshot>
  /** Restores a snapshot into a world. */
  restore(world: World, name: string): Promise<void>
  /** Restores a snapshot into another namespace, which is created if needed. */
  fork(
    source: World,
    name: string,
    target: { readonly namespace: string; readonly mayReplace: boolean },
  ): Promise<World>
}
