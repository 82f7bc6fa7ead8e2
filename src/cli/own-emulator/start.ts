import type { Emulator } from '../../server/emulator.ts'
import type { Pace } from '../../words/pace.ts'
import { reportFault } from '../failure/report-fault.ts'
import type { Output } from '../output/output.ts'
import { abortable } from '../process/abortable.ts'
import type { Io } from '../process/io.ts'

interface OwnEmulatorOptions {
  /** Name or file of the world. */
  world: string
  clock?: Pace | undefined
  now?: string | undefined
  seed?: string | undefined
}

/** Starts an emulator for this command only: in memory, on a free port, without rate limits. */
export const startOwnEmulator = (options: OwnEmulatorOptions, io: Io, output: Output): Promise<Emulator> =>
  abortable(start(options, io, output), io, (late) => late.stop())

/** Reads a world file, so that its faults are reported before anything is started. */
export async function checkWorld(world: string, { cwd }: Io): Promise<void> {
  const { loadWorldFile } = await import('../../server/world-source.ts')
  await loadWorldFile(world, cwd)
}

async function start({ world, clock, now, seed }: OwnEmulatorOptions, { cwd }: Io, output: Output): Promise<Emulator> {
  const [{ startEmulator }, { loadWorldFile }] = await Promise.all([
    import('../../server/emulator.ts'),
    import('../../server/world-source.ts'),
  ])
  return startEmulator({
    ...{ world: await loadWorldFile(world, cwd), port: 0, clock, now, seed, rateLimits: false },
    onFault: (error, doing) => reportFault(output, error, doing),
  })
}
