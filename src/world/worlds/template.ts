import { type Pace, paceOf } from '../../words/pace.ts'
import type { CombinedNouns } from '../combined-nouns.ts'
import { loadSections, type WorldFile } from '../file/world-file.ts'
import { machineNow } from '../machine-time.ts'
import { openDatabase } from '../storage/database.ts'
import { journalSchema } from '../storage/journal.ts'
import { metaSchema, metaStore } from '../storage/meta.ts'
import { replaysSchema } from '../storage/replays.ts'
import { SCHEMA_VERSION } from '../storage/schema.ts'
import { clockStateAt, FROZEN_START, isRunning, parseIsoTime } from '../time/clock.ts'
import { timersSchema } from '../time/timer-store.ts'
import type { World } from '../world.ts'
import { imageAfter, type ScratchOptions } from './scratch-world.ts'

export interface WorldTemplateOptions {
  file: WorldFile
  clock?: Pace | undefined
  /** The start of the clock, ISO 8601. */
  now?: string | undefined
  seed?: string | undefined
}

const ORIGIN = 'made from'
const DIGEST = 'digest of the file'

/** The origin of a world's file, and its content then. */
export function sourceOf(world: World): Pick<WorldFile, 'origin' | 'digest'> {
  const { get } = world.store(metaStore)
  return { origin: get<string>(ORIGIN), digest: get<string>(DIGEST) }
}

/**
 * Caches the last template of each file for the next sandbox in this process. Only one, because there may be many
 * seeds.
 */
const lastBuilt = new WeakMap<WorldFile, { nouns: CombinedNouns; from: string; image: Buffer }>()

/** The initial world, which every namespace is a copy of. */
export class WorldTemplate {
  readonly #options: WorldTemplateOptions
  readonly #scratch: Omit<ScratchOptions, 'namespace'>
  #image: Buffer | undefined

  constructor(options: WorldTemplateOptions, scratch: Omit<ScratchOptions, 'namespace'>) {
    this.#options = options
    this.#scratch = scratch
  }

  image(): Buffer {
    this.#image ??= this.#prebuiltImage() ?? this.#buildOnce()
    return this.#image
  }

  /** The file has a prebuilt image, and no option requires another. */
  get isPrebuilt(): boolean {
    return this.#prebuiltImage() !== undefined
  }

  /** Runs must repeat, because a seed or a frozen clock with a start time is set. */
  get isRepeatable(): boolean {
    const { seed, now, file } = this.#options
    return seed !== undefined || (this.#pace().mode === 'frozen' && (now ?? file.clock?.now) !== undefined)
  }

  /** Restarts the clock, because the template is older than its copy. */
  startClock(world: World) {
    world.setClock(this.#startAt(), this.#pace())
  }

  build(): Buffer {
    const { file, seed } = this.#options
    const { tables } = this.#scratch.host.nouns
    const db = openDatabase({ memory: true })
    db.exec([metaSchema, journalSchema, timersSchema, replaysSchema, tables].join('\n'))
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
    const meta = metaStore(db)
    meta.set('seed', seed ?? file.seed)
    if (file.origin !== undefined) meta.set(ORIGIN, file.origin)
    if (file.digest !== undefined) meta.set(DIGEST, file.digest)
    meta.set('clock', clockStateAt(this.#startAt(), this.#pace()))
    return imageAfter(db, { ...this.#scratch, namespace: '' }, (world) => loadSections(world, file))
  }

  /** Reloads one section of the file, if the file has it. */
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
    return isRunning(this.#pace()) ? machineNow() : parseIsoTime(FROZEN_START)
  }

  /**
   * On a frozen clock a file always gives the same image; on a running clock the image contains the build time.
   */
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
