import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { checkTypes, run } from './packages.ts'

const MANIFESTS = new URL('../../fixtures/team/kubernetes.yaml', import.meta.url)

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

/** Checks the manifests of docs/team.md with the schemas of Kubernetes, and with its types, which refuse unknown fields. */
export async function tryManifests(folder: string): Promise<string> {
  const manifests = parseAllDocuments(await readFile(MANIFESTS, 'utf8')).map((one) => one.toJS() as Manifest)
  const write = async (file: string, line: (manifest: Manifest, module: string, i: number) => string) => {
    const lines = manifests.map((one, i) => line(one, `kubernetes-models/${one.apiVersion}`, i))
    await writeFile(join(folder, 'out', file), lines.join('\n'))
  }
  await write(
    'manifests.ts',
    (manifest, module, i) => `export const m${i}: import('${module}').I${manifest.kind} = ${JSON.stringify(manifest)}`,
  )
  await checkTypes(folder, 'out/manifests.ts')
  await write(
    'manifests.js',
    (manifest, module) => `new (await import('${module}')).${manifest.kind}(${JSON.stringify(manifest)}).validate()`,
  )
  await run(process.execPath, ['out/manifests.js'], { cwd: folder })
  return manifests.map(({ kind }) => kind).join(', ')
}
