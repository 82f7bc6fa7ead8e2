import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Loads the files of a folder in place of those of the tree with the same paths, for adding.test.ts. */
const tree = new URL('../../', import.meta.url).href
const changed = pathToFileURL(`${process.env.CHANGED_FILES}/`).href

registerHooks({
  resolve(name, context, next) {
    const parentURL = context.parentURL?.replace(changed, tree)
    const url = name.startsWith('.') && new URL(name, parentURL).href.replace(tree, changed)
    return url && existsSync(fileURLToPath(url)) ? { url, shortCircuit: true } : next(name, { ...context, parentURL })
  },
})
