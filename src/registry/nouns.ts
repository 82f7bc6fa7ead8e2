import type { Noun } from '../world/noun.ts'
import { registry } from './registry.ts'

const modules = await Promise.all(registry.map((folder) => ('noun' in folder ? folder.noun() : undefined)))

/** The nouns in the order of the registry. The build writes them as imports (scripts/build/registered.ts). */
export const nouns: readonly Noun[] = modules.flatMap((module) => module?.noun ?? [])
