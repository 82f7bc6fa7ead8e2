import { sendLimit } from '../billing/actions.ts'
import { rateLimitsOf } from '../control/rate-limits.ts'
import { nouns } from '../nouns.ts'
import type { Band } from '../words/operation.ts'
import type { ClockMode } from '../words/vocabulary.ts'
import { type FolderLock, lockFolder } from '../world/lock.ts'
import type { WorldFile } from '../world/world-file.ts'
import { Worlds } from '../world/worlds.ts'
import { createApp } from './app.ts'
import { createGuard, isLoopback } from './guard.ts'
import { limitRoutes } from './limit-routes.ts'
import { RateLimits } from './limits.ts'
import { listen } from './listen.ts'

export interface EmulatorOptions {
  /** What the start-up world is made of. */
  world: WorldFile
  /** Folder of the data; everything is in memory without one. */
  folder?: string | undefined
  /** 0 takes a free one. */
  port: number
  /** An address besides loopback; opens the emulator to others. */
  host?: string | undefined
  clock?: ClockMode | undefined
  /** Where a frozen clock starts, ISO 8601. */
  now?: string | undefined
  seed?: string | undefined
  rateLimits?: boolean | undefined
  /** Requests per key and window, where they are not to be the usual ones. */
  limits?: Partial<Record<Band, number>> | undefined
  /** Holds every answer against its contract; for the project's own tests. */
  checkAnswers?: boolean | undefined
  onFault: (error: unknown, doing: string) => void
}

export interface Emulator {
  url: string
  port: number
  worlds: Worlds
  stop(): Promise<void>
}

/** Starts the emulator of the whole service in this process. */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const lock = options.folder === undefined ? undefined : lockFolder(options.folder)
  try {
    return await start(options, lock)
  } catch (error) {
    lock?.release()
    throw error
  }
}

async function start(options: EmulatorOptions, lock: FolderLock | undefined): Promise<Emulator> {
  const { folder, onFault } = options
  const stopping = new AbortController()
  const worlds = new Worlds({ ...options, file: options.world, nouns })
  const limits = new RateLimits({ enabled: options.rateLimits ?? true, limits: options.limits })
  const app = createApp({
    worlds,
    routes: [...nouns.flatMap((noun) => noun.routes ?? []), ...limitRoutes(limits)],
    guard: createGuard({ openTo: options.host && !isLoopback(options.host) ? options.host : undefined }),
    limits,
    allowanceOf: (world, band) => ({ factor: band === 'send' ? sendLimit(world) : 1, own: rateLimitsOf(world) }),
    checkAnswers: options.checkAnswers ?? false,
    signal: stopping.signal,
    onFault,
  })
  const server = await listen(app, options.port, options.host)
  const url = `http://${options.host && options.host !== '0.0.0.0' && options.host !== '::' ? options.host : 'localhost'}:${server.port}`
  if (folder !== undefined) lock?.announce({ pid: process.pid, url })
  // Work left over from the last run goes on at once, not at the first request.
  try {
    worlds.resume()
    worlds.get('default')
  } catch (error) {
    await server.close()
    await worlds.close()
    throw error
  }
  return {
    url,
    port: server.port,
    worlds,
    async stop() {
      stopping.abort()
      await server.close()
      await worlds.close()
      lock?.release()
    },
  }
}
