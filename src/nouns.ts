import { channels } from './channels/index.ts'
import { control } from './control/index.ts'
import type { Noun } from './world/noun.ts'

/** Every concept of the emulator. Each brings its tables, routes, due work and world-file sections. */
export const nouns: readonly Noun[] = [channels, control]
