import { EXIT } from './process/exit.ts'
import { versionLine } from './process/version-line.ts'

/** Runs the command line of this process. --version loads nothing else, so that it answers at once. */
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
  // A reader that leaves early, such as `| head`, is no failure.
  process.stdout.on('error', () => {})
  process.stdout.write(
    (await packaged('THIRD_PARTY_LICENSES.txt')) ?? 'Sources that run as they are contain nothing.\n',
  )
}
