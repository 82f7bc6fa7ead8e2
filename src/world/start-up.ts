import { type Pace, paceOf } from '../words/pace.ts'
import { clockStateAt, isRunning, parseIsoTime, STANDING_START } from './clock.ts'
import { type Database, openDatabase } from './database.ts'
import { machineNow } from './machine-time.ts'
import { metaSchema, metaStore } from './meta.ts'
import type { Noun } from './noun.ts'
import { replaysSchema } from './replays.ts'
import { SCHEMA_VERSION } from './schema.ts'
import { timersSchema } from './timers.ts'
import type { World } from './world.ts'
import { loadSections, type WorldFile } from './world-file.ts'

export interface StartUpOptions {
  /** What the start-up world is made of. */
  file: WorldFile
  nouns: readonly Noun[]
  clock?: Pace | undefined
  /** Where the clock starts, ISO 8601. */
  now?: string | undefined
  seed?: string | undefined
}

const ORIGIN = 'made from'

/** What a world was made from, by the origin of its file. */
export const originOf = (world: World): string | undefined => world.store(metaStore).get<string>(ORIGIN)

/** The world that every namespace begins as. */
export class StartUp {
  readonly #options: StartUpOptions
  #image: Buffer | undefined

  constructor(options: StartUpOptions) {
    this.#options = options
  }

  /** Its bytes: made once, copied for each namespace. `open` makes a world of an empty database. */
  image(open: (db: Database) => World): Buffer {
    this.#image ??= this.#bakedImage() ?? this.make(open)
    return this.#image
  }

  /** The image may be older than the world made from it; the clock starts when and as the world does. */
  begin(world: World) {
    world.setClock(this.#startAt(), this.#pace())
  }

  make(open: (db: Database) => World): Buffer {
    const { file, nouns, seed } = this.#options
    const db = openDatabase({ memory: true })
    db.exec([metaSchema, timersSchema, replaysSchema, ...nouns.map((noun) => noun.tables ?? '')].join('\n'))
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
    const meta = metaStore(db)
    meta.set('seed', seed ?? file.seed)
    if (file.origin !== undefined) meta.set(ORIGIN, file.origin)
    meta.set('clock', clockStateAt(this.#startAt(), this.#pace()))
    const world = open(db)
    world.transaction(() => loadSections(world, file, nouns))
    world.settle()
    world.driver.halt()
    const image = db.serialize()
    db.close()
    return image
  }

  /** Makes rows of one section of the file again, if there is one of this name. */
  load(world: World, key: string) {
    const { file, nouns } = this.#options
    const section = nouns.flatMap((noun) => noun.sections ?? []).find((one) => one.key === key)
    if (section && file.sections[key] !== undefined) section.load(world, file.sections[key])
  }

  #pace(): Pace {
    const { clock, file } = this.#options
    return clock ?? (file.clock ? paceOf(file.clock) : { mode: 'real' })
  }

  #startAt(): number {
    const now = this.#options.now ?? this.#options.file.clock?.now
    if (now) return parseIsoTime(now)
    return isRunning(this.#pace()) ? machineNow() : parseIsoTime(STANDING_START)
  }

  /** The image that came with the file, where nothing was asked for that would make another one. */
  #bakedImage(): Buffer | undefined {
    const { file, seed, now } = this.#options
    return seed === undefined && now === undefined && file.clock === undefined ? file.image : undefined
  }
}
