import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is gone when the bench is. */
export async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The default world with money enough that no send is refused. */
export function richWorld(folder: string): string {
  const file = join(folder, 'rich.yaml')
  const source = readFileSync(new URL('../../fixtures/worlds/default.yaml', import.meta.url), 'utf8')
  writeFileSync(file, source.replace('balance: 1000', 'balance: 100000000'))
  return file
}
