import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CONTENTS } from './build/package-bundle.ts'
import { sbomOf } from './release/sbom.ts'

export interface Packed {
  filename: string
  size: number
  unpackedSize: number
  files: { path: string }[]
}

interface Manifest extends Record<string, unknown> {
  files: string[]
}

/** Fields of package.json that concern the checkout only. */
const OF_THE_CHECKOUT = ['scripts', 'devDependencies', 'allowScripts']
/** Files that npm always packs. */
const ALWAYS = ['README.md', 'LICENSE']

/** Lists the packages in the bundle: `npm audit` of a user sees only those that npm installs. */
const SBOM = 'sbom.cdx.json'

/** Packs the package for the registry, with a package.json without the fields of the checkout. */
export function pack(destination: string): Packed {
  const stage = mkdtempSync(join(tmpdir(), 'sandbox-pack-'))
  try {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
    // npm chooses the files; the stage only has to contain them, without the binaries, which are large.
    const left = manifest.files.flatMap((path) => (path.startsWith('!') ? [resolve(path.slice(1))] : []))
    for (const path of [...manifest.files, ...ALWAYS])
      if (existsSync(path))
        cpSync(path, join(stage, path), { recursive: true, filter: (from) => !left.includes(resolve(from)) })
    for (const key of OF_THE_CHECKOUT) delete manifest[key]
    manifest.files.push(SBOM)
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    writeFileSync(join(stage, SBOM), JSON.stringify(sbomOf(JSON.parse(readFileSync(CONTENTS, 'utf8'))), null, 1))
    return npmPack(stage, '--pack-destination', resolve(destination))
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function npmPack(cwd: string, ...args: string[]): Packed {
  const output = execFileSync('npm', ['pack', '--ignore-scripts', '--json', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // npm 11 lists what it packed, npm 12 names each.
  const packed = JSON.parse(output) as Packed[] | Record<string, Packed>
  return Object.values(packed)[0]!
}
