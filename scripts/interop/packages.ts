import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const run = promisify(execFile)

/** Third-party readers of OpenAPI documents and manifests, too large to be development dependencies. */
export const packages = {
  '@apidevtools/swagger-parser': '13.1.0',
  '@hey-api/openapi-ts': '0.99.0',
  '@scalar/openapi-parser': '0.29.22',
  '@stoplight/prism-cli': '5.16.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@zodios/core': '10.9.6',
  axios: '1.21.1',
  'kubernetes-models': '5.1.0',
  newman: '6.2.2',
  next: '16.4.6',
  oazapfts: '7.5.0',
  'openapi-fetch': '0.17.0',
  'openapi-to-postmanv2': '6.3.3',
  'openapi-zod-client': '1.18.3',
  'openapi-typescript': '7.13.0',
  orval: '8.38.0',
  react: '19.3.1',
  'react-dom': '19.3.1',
  'swagger-typescript-api': '13.13.0',
  // The generators write for this version.
  typescript: '5.9.3',
  // openapi-zod-client writes for this version.
  zod: '3.25.76',
} as const
export type Package = keyof typeof packages

const wanted = JSON.stringify({ private: true, type: 'module', dependencies: packages })

/** Installs the packages in a folder beside the checkout, which takes some minutes the first time. */
export async function installed(): Promise<string> {
  const folder = join(tmpdir(), 'messaging-sandbox-interop')
  await mkdir(folder, { recursive: true })
  const note = join(folder, 'installed.json')
  if ((await readFile(note, 'utf8').catch(() => '')) === wanted) return folder
  await writeFile(join(folder, 'package.json'), wanted)
  console.error(`installing ${Object.keys(packages).length} packages in ${folder} …`)
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], { cwd: folder })
  await writeFile(note, wanted)
  return folder
}

/** Runs a program of a package and returns its output; throws with the output when it fails. */
export async function bin(folder: string, name: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(join(folder, 'node_modules', '.bin', name), args, { cwd: folder, maxBuffer: 64 << 20 })
    return stdout
  } catch (error) {
    const { stdout, stderr, message } = error as { stdout?: string; stderr?: string; message: string }
    throw new Error([stdout, stderr].filter(Boolean).join('\n').trim() || message)
  }
}

/** Checks the types of a program strictly. */
export async function checkTypes(folder: string, file: string) {
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'esnext', '--module', 'esnext']
  await bin(folder, 'tsc', [...strict, '--moduleResolution', 'bundler', '--lib', 'esnext,dom,dom.iterable', file])
}
