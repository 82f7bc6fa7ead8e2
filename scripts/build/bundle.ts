import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { baked } from './baked.ts'
import { commandFiles } from './command-files.ts'
import { registered } from './registered.ts'

/** Of all bundles. */
export const SETTINGS = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  // The texts of licences are collected in one file, see packages.ts.
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  // Node prints the whole line on which an uncaught error was thrown.
  lineLimit: 160,
  logLevel: 'warning',
} as const satisfies BuildOptions

/** Bundles what the package and the binary share. */
export async function bundle(options: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({
    ...SETTINGS,
    metafile: true,
    // A CommonJS file would lose its named exports when it is imported late.
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    ...options,
    plugins: [
      ...(options.plugins ?? []),
      baked(),
      registered(),
      commandFiles(),
      importedByParts(),
      builtinsFromTheProcess(),
      withoutTables(),
      tableOfEntities(),
      builtinsAndTimersInPackages(),
    ],
  })
  return metafile!
}

const LAZY_ZOD = JSON.stringify(fileURLToPath(new URL('lazy-zod.ts', import.meta.url)))

/** Rewrites the sources' imports of packages, so that little of a package has to run. */
function importedByParts(): Plugin {
  return {
    name: 'imported by parts',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](src[\\/].*|scripts[\\/]build[\\/](load|sqlite-binding))\.ts$/ }, ({ path }) => ({
        contents: takenFromProcess(
          readFileSync(path, 'utf8').replace("import { z } from 'zod'", `import { z } from ${LAZY_ZOD}`),
        ),
        loader: 'ts',
      }))
    },
  }
}

/** Modules of which only functions are imported, and which take 0.5 to 3 ms to load: that waits for the first call. */
const LATE = new Set(['node:child_process', 'node:crypto', 'node:dns', 'node:fs/promises'])

const NODE_IMPORT = /^import (?:(\w+)|\{([^}]*)\}) from ['"](node:[\w/]+)['"];?$/gm

/** Rewrites imports in place, because a replacement for each module of Node would have to copy all its exports. */
const takenFromProcess = (text: string) =>
  text.replace(NODE_IMPORT, (line, whole: string | undefined, names: string | undefined, from: string, at: number) => {
    if (isInTemplate(text, at)) return line
    const taken = `globalThis.process.getBuiltinModule('${from}')`
    const isLate = LATE.has(from)
    if (whole !== undefined)
      return `const ${whole} = ${isLate ? `new Proxy({}, { get: (_, name) => ${taken}[name] })` : taken}`
    const values = names!
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part && !part.startsWith('type '))
    const loaded = `loaded_${from.replace(/\W/g, '_')}`
    const lateCall = (value: string) => {
      const [name, as = name] = value.split(' as ')
      return `const ${as} = (...args) => (${loaded} ??= ${taken}).${name}(...args)`
    }
    if (isLate) return [`let ${loaded}`, ...values.map(lateCall)].join('; ')
    return `const { ${values.join(', ').replaceAll(' as ', ': ')} } = ${taken}`
  })

/** Whether a position lies in a template literal, such as the text of a file that a command writes. */
const isInTemplate = (text: string, at: number): boolean => text.slice(0, at).split('`').length % 2 === 0

/**
 * Importing node:http evaluates all its exports, undici among them, which costs 35 ms of a start; asking the process for
 * the module does not. It also spares each file of the bundle a `require` of its own, half a millisecond apiece.
 */
function builtinsFromTheProcess(): Plugin {
  return {
    name: 'builtins from the process',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^(node:.*|${builtinModules.join('|')})$`) }, ({ path }) => ({
        path,
        namespace: 'builtin',
      }))
      onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
        loader: 'js',
      }))
    },
  }
}

/**
 * Leaves out two parts of Express that are never called here: the body parser with half a megabyte of character tables
 * (src/server/body.ts reads JSON itself), and the media types of all kinds of files.
 */
function withoutTables(): Plugin {
  const instead: Record<string, string> = {
    'body-parser': `const none = () => { throw new Error('body-parser is left out of the bundle, see scripts/build.ts') }
      module.exports = { json: none, raw: none, text: none, urlencoded: none }`,
    'mime-db': `const type = (...extensions) => ({ extensions, charset: 'UTF-8' })
      module.exports = { 'application/json': type('json'), 'text/html': type('html'), 'text/plain': type('txt'),
        'application/octet-stream': { extensions: ['bin'] } }`,
  }
  return {
    name: 'without tables',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(body-parser|mime-db)$/ }, ({ path }) => ({ path, namespace: 'left out' }))
      onLoad({ filter: /.*/, namespace: 'left out' }, ({ path }) => ({ contents: instead[path]!, loader: 'js' }))
    },
  }
}

/** Stores the table of HTML's entities as bytes: the package `entities` unpacks it while it loads, for 5 ms. */
function tableOfEntities(): Plugin {
  return {
    name: 'table of entities',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]entities[\\/]dist[\\/]generated[\\/]decode-data-html\.js$/ }, async ({ path }) => {
        const { htmlDecodeTree } = (await import(pathToFileURL(path).href)) as { htmlDecodeTree: Uint16Array }
        const bytes = Buffer.from(htmlDecodeTree.buffer).toString('base64')
        return {
          contents: `const bytes = Buffer.from('${bytes}', 'base64')\nexport const htmlDecodeTree = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)`,
        }
      })
    },
  }
}

/**
 * Gives packages the modules of Node as the sources have them, and Node's own timers, also when a test has faked the global
 * ones before a package is loaded.
 */
function builtinsAndTimersInPackages(): Plugin {
  const names = 'setTimeout, clearTimeout, setImmediate, clearImmediate'
  const from = JSON.stringify(fileURLToPath(new URL('real-timers.ts', import.meta.url)))
  return {
    name: 'builtins and timers in packages',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, ({ path }) => {
        const text = takenFromProcess(readFileSync(path, 'utf8'))
        if (!/\b(setTimeout|setImmediate)\(/.test(text) && !/= setImmediate\b/.test(text)) return { contents: text }
        const isModule = /^(import|export)\b/m.test(text)
        return {
          contents: `${isModule ? `import { ${names} } from ${from}` : `const { ${names} } = require(${from})`}\n${text}`,
        }
      })
    },
  }
}
