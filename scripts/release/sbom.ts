import { execFileSync } from 'node:child_process'
import type { Metafile } from 'esbuild'
import { describe, packagesIn } from '../build/packages.ts'

interface Component {
  'bom-ref': string
  type: string
  name: string
  version: string
  scope?: string
  properties?: { name: string }[]
  [more: string]: unknown
}

interface Sbom {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
  [more: string]: unknown
}

/** Makes npm's SBOM (CycloneDX) of the distributed parts: the bundle's packages, SQLite's, and Node. */
export function sbomOf(contents: Metafile): Sbom {
  const output = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--silent'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const whole = JSON.parse(output) as Sbom
  const folders = [...packagesIn(contents), 'node_modules/swagger-ui-dist', 'node_modules/better-sqlite3']
  const ours = new Set(folders.map(describe).map(({ name, version }) => `${name}@${version}`))
  const components = whole.components.filter(({ name, version }) => ours.has(`${name}@${version}`)).map(shipped)
  const missing = [...ours].filter((id) => !components.some(({ name, version }) => id === `${name}@${version}`))
  if (missing.length > 0) throw new Error(`The lockfile does not know ${missing.join(', ')}.`)
  const self = whole.metadata.component['bom-ref']
  const refs = new Set([self, ...components.map((component) => component['bom-ref'])])
  return {
    ...whole,
    metadata: { ...whole.metadata, component: { ...whole.metadata.component, name: 'messaging-sandbox' } },
    components: [...components, node],
    dependencies: whole.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((it) => refs.has(it)) })),
  }
}

/** Removes npm's mark of a development dependency, since the bundle runs these packages. */
const shipped = ({ properties = [], ...component }: Component): Component => ({
  ...component,
  scope: 'required',
  properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
})

/** Node is part of the binaries only. */
const node: Component = {
  'bom-ref': `node@${process.versions.node}`,
  type: 'platform',
  name: 'node',
  version: process.versions.node,
  scope: 'optional',
  description: 'Node.js, which the binaries contain',
  purl: `pkg:generic/node@${process.versions.node}`,
}
