import { basename, delimiter, dirname, join, relative } from 'node:path'
import { shellPath } from '../../words/shell.ts'

interface Invocation {
  argv: readonly string[]
  /** The path as typed, where the program is a packaged binary. */
  argv0: string
  env: Readonly<Record<string, string | undefined>>
}

/**
 * The words by which the program was called, so that printed commands can be pasted: `sandbox`, `npx sandbox`, `node
 * bin/sandbox.js`, `./sandbox`.
 */
export function programName({ argv, argv0, env }: Invocation, cwd: string): string {
  // bin/sandbox.js passes its own path on when it starts another Node.
  const script = env.SANDBOX_PINNED_NODE || argv[1]!
  if (argv[1] === argv[0]) return shellPath(argv0)
  const store = STORES.find(({ path }) => path.test(script))
  if (store) return `${env.npm_config_user_agent === undefined ? store.runner : packageRunner(env)} sandbox`
  const name = basename(script)
  const isOfPackage = /[\\/]node_modules[\\/]\.bin$/.test(dirname(script))
  if (isOfPackage && env.npm_config_user_agent !== undefined) return `${packageRunner(env)} ${name}`
  if ((env.PATH ?? '').split(delimiter).includes(dirname(script))) return name
  if (isOfPackage && isInside(cwd, join(dirname(script), '../..'))) return `npx ${name}`
  return isOfPackage ? shellPath(relative(cwd, script)) : `node ${shellPath(relative(cwd, script))}`
}

/** Outside of the folder in which the package is installed, npx would fetch another package of this name. */
const isInside = (folder: string, outer: string) => !/^\.\.([\\/]|$)|^([A-Za-z]:)?[\\/]/.test(relative(outer, folder))

/** pnpm and Yarn start the program by its place in their store, which nobody types. */
const STORES = [
  { path: /[\\/]node_modules[\\/]\.pnpm[\\/]/, runner: 'pnpm exec' },
  { path: /[\\/]\.yarn[\\/]/, runner: 'yarn' },
] as const

const RUNNERS: Readonly<Record<string, string>> = { pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' }

const packageRunner = ({ npm_config_user_agent = '' }: Invocation['env']) =>
  RUNNERS[npm_config_user_agent.split('/')[0]!] ?? 'npx'

/** The folder as the shell knew it when it was removed meanwhile: most commands need none. */
export function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    return process.env.PWD ?? '/'
  }
}
