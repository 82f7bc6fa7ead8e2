import { type Pace, paceOf } from '../words/pace.ts'
import type { CombinedNouns } from './combined-nouns.ts'
import { loadSections, type WorldFile } from './file/world-file.ts'
import { machineNow } from './machine-time.ts'
import { imageAfter, type ScratchOptions } from './scratch-world.ts'
import { openDatabase } from './storage/database.ts'
import { metaSchema, metaStore } from './storage/meta.ts'
import { replaysSchema } from './storage/replays.ts'
import { SCHEMA_VERSION } from './storage/schema.ts'
import { clockStateAt, isRunning, parseIsoTime, STANDING_START } from './time/clock.ts'
import { timersSchema } from './time/timer-store.ts'
import type { World } from './world.ts'

export interface WorldTemplateOptions {
  /** The world file that the start-up world is built from. */
  file: WorldFile
  clock?: Pace | undefined
  /** Where the clock starts, ISO 8601. */
  now?: string | undefined
  seed?: string | undefined
}

const ORIGIN = 'made from'

/** The origin of the file that a world was made from. */
export const originOf = (world: World): string | undefined => world.store(metaStore).get<string>(ORIGIN)

/** The last template built from each file, for the next sandbox of the same process. Only one, because seeds may be many. */
const lastBuilt = new WeakMap<WorldFile, { nouns: CombinedNouns; from: string; image: Buffer }>()

/** The start-up world, which every namespace is a copy of. */
export class WorldTemplate {
  readonly #options: WorldTemplateOptions
  readonly #scratch: Omit<ScratchOptions, 'namespace'>
  #image: Buffer | undefined

  constructor(options: WorldTemplateOptions, scratch: Omit<ScratchOptions, 'namespace'>) {
    this.#options = options
    this.#scratch = scratch
  }

  /** Its bytes. */
  image(): Buffer {
    this.#image ??= this.#prebuiltImage() ?? this.#buildOnce()
    return this.#image
  }

  /** The file came with its image, and nothing was asked for that would make another one. */
  get isPrebuilt(): boolean {
    return this.#prebuiltImage() !== undefined
  }

  /** Equal calls are to get equal answers in every run: it was asked for by a seed, or by a clock that stands at an instant. */
  get isRepeatable(): boolean {
    const { seed, now, file } = this.#options
    return seed !== undefined || (this.#pace().mode === 'frozen' && (now ?? file.clock?.now) !== undefined)
  }

  /** A world is younger than the template, so its clock starts anew. */
  startClock(world: World) {
    world.setClock(this.#startAt(), this.#pace())
  }

  /** Builds the bytes from the file. */
  build(): Buffer {
    const { file, seed } = this.#options
    const { tables } = this.#scratch.host.nouns
    const db = openDatabase({ memory: true })
    db.exec([metaSchema, timersSchema, replaysSchema, tables].join('\n'))
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
    const meta = metaStore(db)
    meta.set('seed', seed ?? file.seed)
    if (file.origin !== undefined) meta.set(ORIGIN, file.origin)
    meta.set('clock', clockStateAt(this.#startAt(), this.#pace()))
    return imageAfter(db, { ...this.#scratch, namespace: '' }, (world) => loadSections(world, file))
  }

  /** Loads one section of the file again, if it has one of this name. */
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

  /** On a clock that stands the same file makes the same bytes; on one that runs they carry the time of building. */
  #buildOnce(): Buffer {
    if (isRunning(this.#pace())) return this.build()
    const { file, seed = file.seed } = this.#options
    const nouns = this.#scratch.host.nouns
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
