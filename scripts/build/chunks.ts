import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Script } from 'node:vm'
import type { BuildOptions, Metafile } from 'esbuild'
import { bundle } from './bundle.ts'

/** Where a group of chunks is in the file of all: its first byte, its length and its first line. */
export interface Place {
  at: readonly [from: number, bytes: number, line: number]
  chunks: readonly string[]
}

/** Gives a chunk what a module of CommonJS has, which jest can run too. */
const HEAD = '(function(exports,require,late,__filename){"use strict";'
/** Costs 50 µs, so only a chunk that uses it has it. */
const HERE_URL = "const hereUrl=require('node:url').pathToFileURL(__filename).href;"

/**
 * Bundles entry points into one file of functions for load.ts: a function for each chunk that esbuild splits off for late
 * imports. A process compiles only the groups of chunks that it needs; chunks of the same `sets` of sources are a group,
 * because each script costs 0.07 ms.
 */
export async function bundleChunks(
  options: BuildOptions & { outdir: string },
  file: string,
  sets: readonly (readonly string[])[],
) {
  const contents = await bundle({
    ...options,
    format: 'esm',
    splitting: true,
    chunkNames: '[hash]',
    // import.meta.resolve finds packages of a checkout, which this package contains.
    define: { 'import.meta.url': 'hereUrl', 'import.meta.resolve': 'undefined' },
  })
  const names = namesInOrder(contents)
  const places: Place[] = []
  let text = ''
  let line = 0
  for (const chunks of groupsOf(
    names,
    sets.map((sources) => chunksOf(sources, contents)),
  )) {
    const functions = chunks.map((name) => asFunction(readFileSync(`${options.outdir}/${name}`, 'utf8'), names))
    const group = `[${functions.join(',\n')}]`
    // Reports a statement that was not rewritten.
    new Script(group, { filename: file })
    places.push({ at: [text.length, group.length, line], chunks })
    text += `${group}\n`
    line += group.split('\n').length
  }
  writeFileSync(file, text, 'latin1')
  rmSync(options.outdir, { recursive: true })
  return { contents, places, text }
}

/** The chunks that sources need when they are imported. */
function chunksOf(sources: readonly string[], { outputs }: Metafile): Set<string> {
  const paths = new Set<string>()
  const add = (path: string) => {
    if (paths.has(path)) return
    paths.add(path)
    for (const { path: imported, kind } of outputs[path]!.imports)
      if (kind === 'import-statement' && outputs[imported]) add(imported)
  }
  for (const source of sources) {
    const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)
    if (!found) throw new Error(`${source} has no chunk of its own: it is imported at once`)
    add(found[0])
  }
  return new Set([...paths].map((path) => basename(path)))
}

/** Groups the chunks that are in the same sets; one in no set stays alone. */
function groupsOf(names: readonly string[], sets: readonly Set<string>[]): string[][] {
  const groups = Object.groupBy(names, (name) =>
    sets
      .map((set) => Number(set.has(name)))
      .join('')
      .replace(/^0*$/, name),
  )
  return Object.values(groups) as string[][]
}

/** Lists the chunks so that each follows what it imports: one of a circle would take a value before it exists. */
function namesInOrder({ outputs }: Metafile): string[] {
  const names = new Set<string>()
  const add = (path: string, above: readonly string[]) => {
    if (above.includes(path)) throw new Error(`chunks import each other: ${[...above, path].join(' → ')}`)
    for (const { path: imported, kind } of outputs[path]!.imports)
      if (kind === 'import-statement' && outputs[imported]) add(imported, [...above, path])
    names.add(basename(path))
  }
  for (const path of Object.keys(outputs)) add(path, [])
  return [...names]
}

const IMPORT = /(?<=^|[;}\n])import\s*(?:(\{[^}]*\}|[\w$]+|\*\s*as\s+[\w$]+)\s*from\s*)?"(\.\/[\w-]+\.c?js)";/g
const EXPORT = /export\s*\{([^}]*)\};?\s*$/
const LATE = /\bimport\("\.\/([\w-]+\.c?js)"\)/g

/** Rewrites the imports and exports that esbuild has written. A binding is read once, so that its use costs nothing. */
function asFunction(source: string, names: readonly string[]): string {
  let imports = ''
  const body = source
    .replace(IMPORT, (_, bindings: string | undefined, path: string) => {
      const names = bindings?.replace(/^\*\s*as\s+/, '').replace(/\s+as\s+/g, ':')
      imports += `${names === undefined ? '' : `const ${names}=`}require("${path}");`
      return ''
    })
    .replace(EXPORT, (_, exported: string) => {
      const pairs = exported.split(',').map((pair) => pair.trim().split(/\s+as\s+/))
      // esbuild evaluates a module that a package requires by such a function.
      const evaluated = pairs.filter(([name]) => name!.startsWith('init_')).map(([name]) => `${name}();`)
      return `${evaluated.join('')}Object.assign(exports,{${pairs.map(([name, as = name]) => `${as}:${name}`)}})`
    })
    .replace(LATE, (whole, name: string) =>
      names.includes(name) || name.endsWith('.cjs') ? `late("./${name}")` : whole,
    )
  // esbuild leaves such letters in regular expressions, and load.ts reads a byte for each letter.
  const escaped = body.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `${HEAD}${/\bhereUrl\b/.test(escaped) ? HERE_URL : ''}${imports}${escaped}})`
}
