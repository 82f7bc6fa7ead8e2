import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** The file with all licences; `sandbox --licenses` shows it. */
export const LICENCES = 'THIRD_PARTY_LICENSES.txt'

export interface BundledPackage {
  name: string
  version: string
  license: string
  /** The text of the licence in the package. */
  text: string
}

/** Lists the packages with code in the outputs of a bundle, by name. */
export function packagesIn({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  )
  const names = inputs.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[0])
  return [...new Set(names.filter((folder) => folder !== undefined))].sort()
}

/** Describes a package; one without a licence may not be distributed and fails the build. */
export function describe(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as BundledPackage
  const text = licenceIn(folder)
  if (typeof license !== 'string' || !text) throw new Error(`${folder} does not say under which licence it comes.`)
  return { name, version, license, text }
}

/** The file of the licence, or the part of the readme. */
function licenceIn(folder: string): string | undefined {
  const textOf = (name: RegExp) => {
    const file = readdirSync(folder).find((entry) => name.test(entry))
    return file && readFileSync(join(folder, file), 'utf8').trim()
  }
  return (
    textOf(/^(licen[cs]e|copying)(\.\w+)?$/i) ??
    /^##+ *licen[cs]e\s+(.+?)(?=^##|$(?![\s\S]))/ims.exec(textOf(/^readme/i) ?? '')?.[1]?.trim()
  )
}

/** Joins all licences that must be distributed. */
export function licenceText(packages: readonly BundledPackage[], about: string): string {
  const parts = packages.map(
    ({ name, version, license, text }) => `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`,
  )
  // A package can lie in several folders.
  return [`${about}\n`, ...new Set(parts)].join('\n')
}
