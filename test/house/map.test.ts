import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const exists = (path: string) => existsSync(new URL(path, ROOT))

const map = read('ARCHITECTURE.md')

/** Files and folders that the map names in running text: `server/app.ts`, `network/queue`. */
const named = [...map.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([a-z][\w./-]*\/[\w./-]*)`/g)]
  .map((match) => match[1]!)
  .filter((path) => !path.startsWith('v1/'))

test('every file that ARCHITECTURE.md names exists', () => {
  expect(named.length).toBeGreaterThan(20)
  const isThere = (path: string) =>
    [path, `src/${path}`, `src/service/messages/${path}`].some((place) => exists(place)) || path.includes('_')
  expect(named.filter((path) => !isThere(path))).toEqual([])
})

test('the table of layers has every folder of src', () => {
  const folders = readdirSync(fileURLToPath(new URL('src', ROOT)), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  expect(folders.filter(({ name }) => !map.includes(`| \`${name}/\` |`)).map(({ name }) => name)).toEqual([])
})

test('what the code cites of docs/choices.md is in it', () => {
  const choices = read('docs/choices.md')
  const cited = sources().flatMap((path) =>
    [...unwrapped(read(path)).matchAll(/choices, "([^"]+)"/g)].map(([, what]) => what!),
  )
  expect(cited.length).toBeGreaterThan(10)
  const isIn = (what: string) => choices.includes(`| ${what} `) || new RegExp(`^#+ ${what}$`, 'm').test(choices)
  expect([...new Set(cited)].filter((what) => !isIn(what))).toEqual([])
})

const sources = () =>
  readdirSync(fileURLToPath(new URL('src', ROOT)), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `src/${path}`)

/** Kinds of files that stay separate however short they are (ARCHITECTURE.md, "File kinds"). */
const KINDS =
  /(^src\/words\/|(^|[/.])(contract|states|rules|store|actions|effects|world-file|index|run|tell|checks|page)\.tsx?$)/

const SEPARATE: Readonly<Record<string, string>> = {
  'src/cli/entry.ts': 'the built program begins there, without main.ts',
  'src/cli/at-once.ts': 'the build bundles it by itself',
  'src/cli/help/first-page.ts': 'the build replaces it',
  'src/registry/contracts.ts': 'the build replaces it',
  'src/openapi/viewer.ts': 'the build reads the list of files',
  'src/controls/triggers/campaigns.ts': 'each noun with triggers has such a file',
}

test('a short file with one user belongs to its user', () => {
  const users = new Map<string, { path: string; isLate: boolean }[]>()
  for (const path of sources())
    for (const [, late, name] of read(path).matchAll(/(import\()?'(\.[^'\n]+\.tsx?)'/g)) {
      const target = normalize(join(dirname(path), name!))
      users.set(target, [...(users.get(target) ?? []), { path, isLate: late !== undefined }])
    }
  const linesOf = (path: string) => read(path).split('\n').length - 1
  const short = sources().filter((path) => {
    const [user, ...others] = users.get(path) ?? []
    if (!user || others.length > 0 || user.isLate || KINDS.test(path) || user.path.endsWith('/index.ts')) return false
    const isBeside = path.startsWith(`${dirname(user.path)}/`)
    return isBeside && linesOf(path) < 30 && linesOf(path) + linesOf(user.path) < 200
  })
  expect(short.sort()).toEqual(Object.keys(SEPARATE).sort())
})

/** Joins the lines of comments. */
const unwrapped = (text: string) => text.replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ')

test('every decision is in the index, and nothing else', () => {
  const index = [...read('docs/decisions/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map((match) => match[1])
  const files = readdirSync(fileURLToPath(new URL('docs/decisions', ROOT))).filter((name) => name !== 'README.md')
  expect(index).toEqual(files.sort())
})
