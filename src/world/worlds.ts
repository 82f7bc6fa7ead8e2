import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClockMode } from '../words/vocabulary.ts'
import { type ClockState, parseIsoTime } from './clock.ts'
import { type Database, openDatabase } from './database.ts'
import { machineNow } from './machine-time.ts'
import { metaSchema, metaStore } from './meta.ts'
import type { Noun } from './noun.ts'
import { replaysSchema } from './replays.ts'
import { migrate, NotAWorld, SCHEMA_VERSION } from './schema.ts'
import { timersSchema } from './timers.ts'
import { asProblem } from './transactions.ts'
import { type FaultListener, type Host, type Works, World } from './world.ts'
import type { WorldFile } from './world-file.ts'

export interface WorldsOptions {
  /** What the start-up world is made of. */
  file: WorldFile
  nouns: readonly Noun[]
  /** The data folder; everything is in memory without one. */
  folder?: string | undefined
  clock?: ClockMode | undefined
  /** Where a frozen clock stands at first, ISO 8601. */
  now?: string | undefined
  seed?: string | undefined
  onFault: FaultListener
}

/** A frozen clock begins here unless told otherwise, so that runs repeat. */
const FROZEN_START = '2026-01-01T00:00:00.000Z'

/** The worlds of one process, one for each namespace, each made at its first use from the start-up world. */
export class Worlds implements Host {
  readonly #options: WorldsOptions
  readonly #works: Works
  readonly #worlds = new Map<string, World>()
  #image: Buffer | undefined

  constructor(options: WorldsOptions) {
    this.#options = options
    this.#works = {
      inside: Object.assign({}, ...options.nouns.map((noun) => noun.inside ?? {})),
      outside: Object.assign({}, ...options.nouns.map((noun) => noun.outside ?? {})),
    }
    if (options.folder) mkdirSync(options.folder, { recursive: true })
  }

  get count(): number {
    return this.#worlds.size
  }

  get(namespace: string): World {
    const known = this.#worlds.get(namespace)
    if (known) return known
    const world = this.#opened(namespace)
    this.#worlds.set(namespace, world)
    world.driver.start()
    return world
  }

  /** The world of a namespace that has been used before. */
  find(namespace: string): World | undefined {
    const { folder } = this.#options
    const exists = this.#worlds.has(namespace) || (folder !== undefined && existsSync(join(folder, `${namespace}.db`)))
    return exists ? this.get(namespace) : undefined
  }

  async close(): Promise<void> {
    await Promise.all([...this.#worlds.values()].map((world) => world.close()))
    this.#worlds.clear()
  }

  /** Opens the worlds that the data folder holds, so that what was left to do goes on. */
  resume() {
    const { folder } = this.#options
    if (!folder) return
    for (const name of readdirSync(folder)) if (name.endsWith('.db')) this.get(name.slice(0, -'.db'.length))
  }

  /** Puts a world back to how it started; those who follow it stay. */
  async reset(world: World): Promise<void> {
    await world.replace((old) => {
      old.close()
      const file = this.#fileOf(world.namespace)
      if (file) for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
      return this.#fresh(file)
    })
    this.#settleStart(world)
  }

  #world(namespace: string, db: Database): World {
    return new World(namespace, db, { works: this.#works, host: this, onFault: this.#options.onFault })
  }

  #fileOf(namespace: string): string | undefined {
    const { folder } = this.#options
    return folder && join(folder, `${namespace}.db`)
  }

  /** A database as every world starts: written whole or not at all, so a crash leaves no half world behind. */
  #fresh(file: string | undefined): Database {
    if (!file) return openDatabase({ memory: true, image: this.#startImage() })
    writeFileSync(`${file}.new`, this.#startImage())
    renameSync(`${file}.new`, file)
    return openDatabase({ file })
  }

  #opened(namespace: string): World {
    try {
      return this.#open(namespace)
    } catch (error) {
      throw asProblem(error)
    }
  }

  #open(namespace: string): World {
    const file = this.#fileOf(namespace)
    if (!file || !existsSync(file)) {
      const world = this.#world(namespace, this.#fresh(file))
      this.#settleStart(world)
      return world
    }
    const db = openWorldFile(file)
    migrate(db, file)
    const world = this.#world(namespace, db)
    const { clock, now } = this.#options
    if (clock && (clock !== world.clock.mode || now)) world.setClock(now ? parseIsoTime(now) : world.now(), clock)
    return world
  }

  /** The image may be older than the world made from it; the clock starts when and as the world does. */
  #settleStart(world: World) {
    const state = this.#clockState()
    world.setClock(state.mode === 'real' ? this.#startAt() : state.at, state.mode)
  }

  #startAt(): number {
    const now = this.#options.now ?? this.#options.file.clock?.now
    return now ? parseIsoTime(now) : machineNow()
  }

  /** The bytes of a fresh start-up world: made once, copied for each namespace. */
  #startImage(): Buffer {
    this.#image ??= this.#bakedImage() ?? this.makeImage()
    return this.#image
  }

  /** The image that came with the file, where nothing was asked for that would make another one. */
  #bakedImage(): Buffer | undefined {
    const { file, seed, now } = this.#options
    return seed === undefined && now === undefined && file.clock === undefined ? file.image : undefined
  }

  /** Makes a start-up world from its file, as the bytes of a database. */
  makeImage(): Buffer {
    const { file, nouns } = this.#options
    const db = openDatabase({ memory: true })
    db.exec('BEGIN')
    db.exec([metaSchema, timersSchema, replaysSchema, ...nouns.map((noun) => noun.tables ?? '')].join('\n'))
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
    const meta = metaStore(db)
    meta.set('seed', this.#options.seed ?? file.seed)
    meta.set('clock', this.#clockState())
    const world = this.#world('', db)
    for (const { sections } of nouns)
      for (const { key, load } of sections ?? []) if (file.sections[key] !== undefined) load(world, file.sections[key])
    world.settle()
    db.exec('COMMIT')
    const image = db.serialize()
    db.close()
    return image
  }

  #clockState(): ClockState {
    const { clock, now, file } = this.#options
    const mode = clock ?? file.clock?.mode ?? 'real'
    if (mode === 'real') return { mode, offsetMs: this.#startAt() - machineNow() }
    return { mode, at: parseIsoTime(now ?? file.clock?.now ?? FROZEN_START) }
  }
}

function openWorldFile(file: string): Database {
  try {
    return openDatabase({ file })
  } catch (error) {
    throw /^SQLITE_(NOTADB|CORRUPT)/.test(String((error as { code?: unknown }).code)) ? new NotAWorld(file) : error
  }
}
