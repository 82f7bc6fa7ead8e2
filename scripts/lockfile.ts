export interface Package {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

export interface Lockfile {
  packages: Record<string, Package>
}

export interface MissingEntry {
  name: string
  version: string
  dev: boolean
}

/** Finds optional packages that the lockfile names and that have no entry of their own. */
export function missingEntries({ packages }: Lockfile): MissingEntry[] {
  return Object.entries(packages).flatMap(([path, { dev = false, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !foldersAbove(path).some((folder) => packages[`${folder}node_modules/${name}`]))
      .map(([name, version]) => ({ name, version, dev })),
  )
}

/** Lists the folders whose node_modules a package is resolved from, nearest first; all but the root end in a slash. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/node_modules/')
  return [...parts.map((_, i) => `${parts.slice(0, parts.length - i).join('/node_modules/')}/`), '']
}
