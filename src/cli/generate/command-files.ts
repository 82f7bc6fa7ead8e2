import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AddCommand, NounCommands } from './noun.ts'

/** The index.ts of a folder of commands/: a command that belongs to no noun. */
export interface CommandFile {
  readonly add: AddCommand
  /** The command reads all others. */
  readonly needsAllCommands?: boolean
}

/** A module of nouns/. */
export interface NounFile {
  readonly commands: NounCommands
}

type Files<Module> = Readonly<Record<string, () => Promise<Module>>>

/** Loaders by the word that is typed. The build writes both lists (scripts/build/command-files.ts). */
export const commandFiles = filesOf<CommandFile>(
  'commands/*/index.ts',
  (name) => import(`../commands/${name}/index.ts`),
)
export const nounFiles = filesOf<NounFile>('nouns/*.ts', (name) => import(`../nouns/${name}.ts`))

function filesOf<Module>(pattern: string, load: (name: string) => Promise<Module>): Files<Module> {
  const files = globSync(pattern, { cwd: fileURLToPath(new URL('..', import.meta.url)) }).sort()
  return Object.fromEntries(
    files.map((file) => file.split(/[\\/]/)[1]!.replace(/\.ts$/, '')).map((name) => [name, () => load(name)]),
  )
}
