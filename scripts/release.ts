import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { VERSION } from '../src/words/version.ts'
import { CONTENTS } from './build/package-bundle.ts'
import { pack } from './pack.ts'
import { obstacles } from './release/obstacles.ts'
import { sbomOf } from './release/sbom.ts'

/** The folder of uploads beside the package: binaries, licences, SBOM and checksums. */
const FOLDER = 'release'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } })
const isRehearsal = values['dry-run'] ?? false

const found = obstacles(VERSION)
found.forEach(tell)
if (!succeeds('npm', 'run', 'check')) note('npm run check finds faults, see above.')
if (!isRehearsal && found.length > 0) process.exit(1)
if (!isRehearsal) run('npm', 'test')
build()
mkdirSync(FOLDER, { recursive: true })
const { filename: tarball } = pack(FOLDER)
run(process.execPath, 'scripts/smoke.ts')
writeFileSync(
  join(FOLDER, 'sbom.cdx.json'),
  JSON.stringify(sbomOf(JSON.parse(readFileSync(CONTENTS, 'utf8'))), null, 2),
)
writeChecksums()
publish(tarball)

/** Builds the binaries first, because their build leaves out the types that the package needs. */
function build() {
  rmSync(FOLDER, { recursive: true, force: true })
  run(process.execPath, 'scripts/build-binary.ts', '--all')
  cpSync('dist/bin', FOLDER, { recursive: true })
  run(process.execPath, 'scripts/build.ts')
}

/** Writes checksums in the form that `sha256sum --check` reads. */
function writeChecksums() {
  const lines = readdirSync(FOLDER)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(FOLDER, name)))
          .digest('hex')}  ${name}`,
    )
  writeFileSync(join(FOLDER, 'SHA256SUMS'), `${lines.join('\n')}\n`)
  console.log(`\n${FOLDER}/\n${lines.join('\n')}\n`)
}

function publish(tarball: string) {
  if (isRehearsal) {
    const next = found.length > 0 ? 'Fix what would stop a release, see above.' : `${tarball} would go to npm now.`
    return console.log(`A dry run: nothing was published. ${next}`)
  }
  run('npm', 'publish', join(FOLDER, tarball), ...provenance())
  run('git', 'tag', '-a', `v${VERSION}`, '-m', `messaging-sandbox ${VERSION}`)
  console.log(`Published. Now: git push origin v${VERSION}, and upload the files of ${FOLDER}/ with it.`)
}

/** npm can prove where a package was built on these services only. */
const provenance = () => (process.env.GITHUB_ACTIONS || process.env.GITLAB_CI ? ['--provenance'] : [])

function tell(obstacle: string) {
  console.log(`${isRehearsal ? 'would stop a release' : 'stopped'}: ${obstacle}`)
}

function note(obstacle: string) {
  found.push(obstacle)
  tell(obstacle)
}

function run(program: string, ...args: string[]) {
  if (succeeds(program, ...args)) return
  tell(`${args.join(' ')} has failed, see above.`)
  process.exit(1)
}

function succeeds(program: string, ...args: string[]): boolean {
  console.log(`$ ${[program === process.execPath ? 'node' : program, ...args].join(' ')}`)
  return spawnSync(program, args, { stdio: 'inherit' }).status === 0
}
