import { EXIT } from './process/exit.ts'
import { versionLine } from './process/version-line.ts'

/** Runs the command line of this process. Its version is told without reading anything else in. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${versionLine()}\n`)
    return
  }
  if (argv[0] === '--licenses') return showLicenses()
  const [{ run }, { endNow, processIo }] = await Promise.all([import('./run.ts'), import('./process/process-io.ts')])
  const code = await run(argv, processIo())
  if (code === EXIT.interrupted) endNow()
  process.exitCode = code
}

async function showLicenses() {
  const { packaged } = await import('../world/file/packaged.ts')
  // Whoever reads only the beginning, as `| head` does, has not failed.
  process.stdout.on('error', () => {})
  process.stdout.write(
    (await packaged('THIRD_PARTY_LICENSES.txt')) ?? 'Sources that run as they are contain nothing.\n',
  )
}
