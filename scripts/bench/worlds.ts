import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder that is removed when the bench ends. */
export async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes the default world with enough money for every send. */
export function richWorld(folder: string): string {
  const file = join(folder, 'rich.yaml')
  const source = readFileSync(new URL('../../fixtures/worlds/default.yaml', import.meta.url), 'utf8')
  writeFileSync(file, source.replace('balance: 1000', 'balance: 100000000'))
  return file
}
