import { readdirSync } from 'node:fs'
import type { AddCommand, NounCommands } from './noun.ts'

/** A module of commands/: a command that belongs to no noun. */
export interface CommandFile {
  readonly add: AddCommand
}

/** A module of nouns/. */
export interface NounFile {
  readonly commands: NounCommands
}

type Files<Module> = Readonly<Record<string, () => Promise<Module>>>

/** Loaders for the files of both folders, by file name. The build writes the lists (scripts/build/command-files.ts). */
export const commandFiles = filesIn<CommandFile>('commands', (name) => import(`../commands/${name}.ts`))
export const nounFiles = filesIn<NounFile>('nouns', (name) => import(`../nouns/${name}.ts`))

function filesIn<Module>(folder: string, load: (name: string) => Promise<Module>): Files<Module> {
  const files = readdirSync(new URL(`../${folder}/`, import.meta.url)).filter((file) => file.endsWith('.ts'))
  return Object.fromEntries(files.map((file) => file.slice(0, -'.ts'.length)).map((name) => [name, () => load(name)]))
}
