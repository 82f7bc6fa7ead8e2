import { suggest } from './suggest.ts'

/** The world files of the package, in fixtures/worlds. */
export const WORLD_NAMES = ['default', 'empty', 'low-balance', 'outage', 'newsletter', 'campaigns', 'strict'] as const
export const isPackageWorld = (name: string): boolean => (WORLD_NAMES as readonly string[]).includes(name)
/** Anything else is the path of a file. */
export const isWorldName = (text: string): boolean => /^[\w-]+$/.test(text)

/** The fault of a name that the package does not have; undefined for a world of the package, and for a path. */
export function worldFault(text: string): string | undefined {
  if (!isWorldName(text) || isPackageWorld(text)) return undefined
  const instead = suggest(text, WORLD_NAMES) || `; worlds of the package: ${WORLD_NAMES.join(', ')}.`
  return `unknown world "${text}"${instead} For a file, write its path: ./${text}.yaml`
}

/** An agent of the default world for all message types, one that sends no newsletters, and its email channel. */
export const DEFAULT_AGENT = 'ag_live_00000000-0000-4000-8000-000000000001'
export const OTHER_AGENT = 'ag_live_00000000-0000-4000-8000-000000000003'
export const DEFAULT_CHANNEL = 'ch_00000000-0000-4000-8000-000000000001'
