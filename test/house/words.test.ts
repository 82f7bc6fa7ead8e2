import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findingsIn } from '../../scripts/words/find.ts'

const textsOf = (path: string, text: string) => findingsIn(path, text).map((finding) => finding.text)

test.each([
  ['docs/api.md', 'Begin the namespace anew.', 'anew'],
  ['docs/api.md', 'Whoever comes first', 'Whoever'],
  ['docs/api.md', 'The rest is due work.', 'due work'],
  ['src/cli/a.ts', "const help = 'how to mend it'", 'mend'],
  ['src/cli/a.ts', "throw new Error('a filter that there is not')", 'that there is not'],
  ['src/cli/a.tsx', 'const page = <p>none may come</p>', 'none may'],
  ['src/cli/a.ts', '/** A clock that stands. */', 'clock that stand'],
  ['src/cli/a.ts', '/**\n * What becomes\n * of it.\n */', 'becomes of'],
  ['src/a.ts', '/** Undefined where it is unknown. */', 'Undefined where'],
  ['src/a.ts', "const hint = '3 calls under way'", 'under way'],
  ['test/a.test.ts', "test('is told of it', () => {})", 'told of'],
  ['src/a.ts', 'const told = 1', 'told'],
  ['src/a.ts', 'export function callIn() {}', 'callIn'],
  ['src/a.ts', 'const wasTold = 1', 'wasTold'],
  ['src/a.ts', 'class A { #anew = 1 }', 'anew'],
  ['src/a.ts', 'const { known } = options', 'known'],
  ['src/a.ts', 'interface Surroundings {}', 'Surroundings'],
])('%s: %s is refused', (path, text, refused) => {
  expect(textsOf(path, text)).toContain(refused)
})

test.each([
  ['docs/api.md', 'The recipient is unknown. A frozen clock does not advance. `U(n)` stands for an id.'],
  ['ARCHITECTURE.md', 'A due row is deleted in the transaction that does its work.'],
  ['src/a.ts', "import { isKnown } from './outside.ts'"],
  ['src/a.ts', 'const recommended = amended(unknown)'],
])('%s: %s passes', (path, text) => {
  expect(textsOf(path, text)).toEqual([])
})

test('the check names file, line and what to write instead, and fails', async () => {
  const run = promisify(execFile)
  const folder = await mkdtemp(join(tmpdir(), 'words-'))
  try {
    await run('git', ['init', '--quiet'], { cwd: folder })
    await mkdir(join(folder, 'docs'))
    await writeFile(join(folder, 'docs/page.md'), 'First.\n\nIt begins anew.\n')
    const script = fileURLToPath(new URL('../../scripts/words.ts', import.meta.url))
    const failure = await run(process.execPath, [script, 'docs'], { cwd: folder }).catch((error) => error)
    expect(failure).toMatchObject({
      code: 1,
      stderr: 'docs/page.md:3: "anew". Write instead: again; reset; recreate.\n',
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})
