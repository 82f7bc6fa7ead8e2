import { onTestFinished } from 'vitest'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/server/emulator.ts'
import { loadWorldFile } from '../../src/server/world-source.ts'

/** An emulator on a frozen clock that other machines can reach. It stops after the test. */
export async function reachableEmulator(options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
  const emulator = await startEmulator({
    world: await loadWorldFile('default'),
    port: 0,
    host: '0.0.0.0',
    clock: { mode: 'frozen' },
    checkAnswers: true,
    onFault: (error) => {
      throw error
    },
    ...options,
  })
  onTestFinished(() => emulator.stop())
  return emulator
}
