import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** Where all licences stand together; `sandbox --licenses` shows it. */
export const LICENCES = 'THIRD_PARTY_LICENSES.txt'

export interface BundledPackage {
  name: string
  version: string
  license: string
  /** Its licence as it is written in the package. */
  text: string
}

/** The packages of which something stands in the outputs of a bundle, by name. */
export function packagesIn({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  )
  const names = inputs.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[0])
  return [...new Set(names.filter((folder) => folder !== undefined))].sort()
}

/** What a package says of itself; one without a licence may not be passed on, and fails the build. */
export function describe(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as BundledPackage
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.\w+)?$/i.test(entry))
  if (typeof license !== 'string' || !file) throw new Error(`${folder} does not say under which licence it comes.`)
  return { name, version, license, text: readFileSync(join(folder, file), 'utf8').trim() }
}

/** One text with every licence that has to travel along. */
export function licenceText(packages: readonly BundledPackage[], about: string): string {
  const parts = packages.map(
    ({ name, version, license, text }) => `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`,
  )
  // A package can lie in several folders.
  return [`${about}\n`, ...new Set(parts)].join('\n')
}
