/**
 * Refuses words and phrases of scripts/words/list.ts in everything that users and maintainers read.
 * `node scripts/words.ts` is the check; `node scripts/words.ts src/cli docs/cli.md` lists all findings in these places.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { findingsIn } from './words/find.ts'

/** The list itself, and the test that quotes it. */
const QUOTES = ['scripts/words/list.ts', 'test/house/words.test.ts']
const READ = /\.(tsx?|md|ya?ml|mjs|js|sh|css|html)$/

const places = process.argv.slice(2)
const isIn = (path: string, place: string) => path === place || path.startsWith(`${place}/`)

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => READ.test(path) && !QUOTES.includes(path) && existsSync(path))
const findings = files.flatMap((path) =>
  findingsIn(path, readFileSync(path, 'utf8')).map((finding) => ({ path, ...finding })),
)

const shown = findings.filter(({ path }) => places.length === 0 || places.some((place) => isIn(path, place)))
for (const { path, line, text, instead } of shown)
  console.error(`${path}:${line}: "${text}". Write instead: ${instead}.`)
if (shown.length > 0) process.exitCode = 1
