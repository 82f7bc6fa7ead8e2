import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { VERSION } from '../../src/words/version.ts'
import { binaryPath, isHost, targets } from '../binary/targets.ts'
import type { Sandbox } from './command.ts'
import { tellStory } from './story.ts'

/** A path with spaces and letters beyond ASCII. */
const PLACE = '/opt/Größe, Maß und 空間'
const WORK = '/work'

/**
 * Plays the story with the binary of this platform: with an empty PATH, in an empty folder, from a read-only place. A
 * privileged process plays it in a root of its own with nothing but the C library.
 */
export async function smokeBinary(): Promise<void> {
  const binary = binaryPath(targets.find(isHost)!)
  const root = mkdtempSync(join(tmpdir(), 'sandbox-smoke-'))
  const mayChangeRoot = process.platform === 'linux' && spawnSync('unshare', ['--mount', 'true']).status === 0
  try {
    const sandbox = mayChangeRoot ? inBareRoot(binary, root) : inPlace(binary, root)
    await tellStory(sandbox, VERSION)
    console.log(`binary: ok${mayChangeRoot ? ', in a bare root' : ', but not in a bare root: this user may make none'}`)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function inPlace(binary: string, root: string): Sandbox {
  const cwd = join(root, WORK)
  lay(binary, root)
  return { words: [join(root, PLACE, 'sandbox')], env: { PATH: '', HOME: join(root, 'home') }, cwd }
}

function inBareRoot(binary: string, root: string): Sandbox {
  lay(binary, root)
  for (const library of librariesOf(binary)) copy(library, join(root, library))
  const script = `
    mount --bind "$ROOT${PLACE}" "$ROOT${PLACE}" && mount -o remount,bind,ro "$ROOT${PLACE}" || exit 99
    exec unshare --root="$ROOT" --wd="${WORK}" "${PLACE}/sandbox" "$@"`
  // The script itself needs both; the program that it starts finds nothing on its PATH.
  return {
    words: ['unshare', '--mount', 'sh', '-c', script, 'sh'],
    env: { PATH: process.env.PATH ?? '', HOME: '/home/new', ROOT: root },
    cwd: root,
  }
}

function lay(binary: string, root: string) {
  copy(binary, join(root, PLACE, 'sandbox'))
  mkdirSync(join(root, WORK))
  mkdirSync(join(root, 'tmp'))
}

/** Finds the libraries of C and C++ as the loader does. */
const librariesOf = (binary: string) => execFileSync('ldd', [binary], { encoding: 'utf8' }).match(/\/\S+(?= \()/g) ?? []

function copy(from: string, to: string) {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}
