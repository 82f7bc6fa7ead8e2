import { type Pace, paceOf } from '../words/pace.ts'
import type { CombinedNouns } from './combined-nouns.ts'
import { loadSections, type WorldFile } from './file/world-file.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { metaSchema, metaStore } from './storage/meta.ts'
import { replaysSchema } from './storage/replays.ts'
import { SCHEMA_VERSION } from './storage/schema.ts'
import { clockStateAt, isRunning, parseIsoTime, STANDING_START } from './time/clock.ts'
import { machineNow } from './time/machine-time.ts'
import { timersSchema } from './time/timer-store.ts'
import type { World } from './world.ts'

export interface WorldTemplateOptions {
  /** What the start-up world is made of. */
  file: WorldFile
  clock?: Pace | undefined
  /** Where the clock starts, ISO 8601. */
  now?: string | undefined
  seed?: string | undefined
}

/** Where worlds are made. */
interface WorldFactory {
  nouns(): CombinedNouns
  /** A world of a database that has all tables. */
  open(db: Database): World
}

const ORIGIN = 'made from'

/** What a world was made from, by the origin of its file. */
export const originOf = (world: World): string | undefined => world.store(metaStore).get<string>(ORIGIN)

/** The last world made of each file, for the next sandbox of the same process. One is kept: seeds may be many. */
const lastBuilt = new WeakMap<WorldFile, { nouns: CombinedNouns; from: string; image: Buffer }>()

/** The world that every namespace begins as. */
export class WorldTemplate {
  readonly #options: WorldTemplateOptions
  readonly #factory: WorldFactory
  #image: Buffer | undefined

  constructor(options: WorldTemplateOptions, factory: WorldFactory) {
    this.#options = options
    this.#factory = factory
  }

  /** Its bytes: made once, copied for each namespace. */
  image(): Buffer {
    this.#image ??= this.#prebuiltImage() ?? this.#buildOnce()
    return this.#image
  }

  /** Nothing has to be made of the file: it came with its image, and nothing was asked for that would make another one. */
  get isPrebuilt(): boolean {
    return this.#prebuiltImage() !== undefined
  }

  /** The image may be older than the world made from it; the clock starts when and as the world does. */
  startClock(world: World) {
    world.setClock(this.#startAt(), this.#pace())
  }

  /** Makes them of the file. */
  build(): Buffer {
    const { file, seed } = this.#options
    const { tables } = this.#factory.nouns()
    const db = openDatabase({ memory: true })
    db.exec([metaSchema, timersSchema, replaysSchema, tables].join('\n'))
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
    const meta = metaStore(db)
    meta.set('seed', seed ?? file.seed)
    if (file.origin !== undefined) meta.set(ORIGIN, file.origin)
    meta.set('clock', clockStateAt(this.#startAt(), this.#pace()))
    const world = this.#factory.open(db)
    world.transaction(() => loadSections(world, file))
    world.lifecycle.opened.persist()
    world.driver.halt()
    const image = db.serialize()
    db.close()
    return image
  }

  /** Makes rows of one section of the file again, if there is one of this name. */
  loadSection(world: World, key: string) {
    const { file } = this.#options
    const section = world.nouns.sections.find((one) => one.key === key)
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

  /** On a clock that stands the same file makes the same world; on one that runs it carries the time of its making. */
  #buildOnce(): Buffer {
    if (isRunning(this.#pace())) return this.build()
    const { file, seed = file.seed } = this.#options
    const nouns = this.#factory.nouns()
    const from = JSON.stringify([seed, this.#startAt(), this.#pace()])
    const last = lastBuilt.get(file)
    if (last?.nouns === nouns && last.from === from) return last.image
    const image = this.build()
    lastBuilt.set(file, { nouns, from, image })
    return image
  }

  #prebuiltImage(): Buffer | undefined {
    const { file, seed, now } = this.#options
    return seed === undefined && now === undefined && file.clock === undefined ? file.image : undefined
  }
}
