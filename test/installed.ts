import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Packed, pack } from '../scripts/pack.ts'
import { oncePerRun } from './once.ts'
import { ROOT } from './paths.ts'

/** Packages of its users. */
const BESIDE = [
  'vitest',
  'jest',
  '@jest/globals',
  '@jest/expect',
  '@playwright/test',
  'typescript',
  '@types/node',
  '@swc/jest',
  '@sinonjs/fake-timers',
]

/** The package as npm packs it: the folder of the tarball, and npm's report in `packed.json`. */
export const packedPackage = (): Promise<string> =>
  oncePerRun('packed', async (folder) => {
    await writeFile(join(folder, 'packed.json'), JSON.stringify(pack(folder)))
  })

export const readPacked = async (folder: string): Promise<Packed> =>
  JSON.parse(await readFile(join(folder, 'packed.json'), 'utf8'))

/**
 * A folder in which the packed package is installed as npm does it, without a registry. All test files share it, so each
 * makes folders of its own in it. `npm run smoke` installs the package with npm.
 */
export const installedPackage = (): Promise<string> => oncePerRun('installed', install)

async function install(home: string): Promise<void> {
  await writeFile(join(home, 'package.json'), '{ "private": true, "type": "module" }')
  const packed = await packedPackage()
  const { filename } = await readPacked(packed)
  const place = join(home, 'node_modules/messaging-sandbox')
  await mkdir(place, { recursive: true })
  await promisify(execFile)('tar', ['xzf', join(packed, filename), '--strip-components=1', '-C', place])
  await mkdir(join(home, 'node_modules/.bin'))
  await symlink('../messaging-sandbox/bin/sandbox.js', join(home, 'node_modules/.bin/sandbox'))
  for (const name of BESIDE) {
    const place = join(home, 'node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), place, 'junction')
  }
}

export interface Ended {
  code: number
  /** Both streams, without colours. */
  output: string
}

/** Runs a Node program beside the installed package to its end, with a PATH like that of npx. */
export const runNode = (cwd: string, args: readonly string[], variables: Record<string, string> = {}): Promise<Ended> =>
  run(cwd, process.execPath, args, variables)

/** Runs shell lines in a folder beside the installed package, until one fails. Only npx is replaced, to save its lookup. */
export const runShellIn = (cwd: string, lines: string, variables: Record<string, string> = {}): Promise<Ended> =>
  run(cwd, 'sh', ['-c', `set -e\nnpx() { "$@"; }\n${lines}`], variables)

const run = (
  cwd: string,
  program: string,
  args: readonly string[],
  variables: Record<string, string> = {},
): Promise<Ended> =>
  new Promise((resolve) =>
    execFile(program, [...args], { cwd, env: { ...environment(cwd), ...variables } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, output: stdout + stderr }),
    ),
  )

/** A runner that finds itself inside another one behaves differently. */
function environment(cwd: string): NodeJS.ProcessEnv {
  const outer = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|JEST|TEST|NODE_|GITHUB_|CI$|FORCE_COLOR|npm_|SANDBOX_)/.test(name),
  )
  const places = [join(cwd, '../node_modules/.bin'), dirname(process.execPath), join(ROOT, 'node_modules/.bin')]
  return {
    ...Object.fromEntries(outer),
    NO_COLOR: '1',
    PATH: [...places, process.env.PATH].join(delimiter),
  }
}
