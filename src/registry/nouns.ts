import { Lazy } from '../words/lazy.ts'
import type { Noun } from '../world/noun.ts'
import { registry } from './registry.ts'

const nouns = new Lazy<readonly Noun[]>(async () => {
  const modules = await Promise.all(registry.map((folder) => ('noun' in folder ? folder.noun() : undefined)))
  return modules.flatMap((module) => module?.noun ?? [])
})

/** Reads in all that stands behind the operations, once for all who ask; the same list for everybody. */
export const loadNouns = (): Promise<readonly Noun[]> => nouns.load()
