import { VERSION } from '../version.ts'

const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) process.stdout.write(`${VERSION}\n`)
else {
  const [{ run }, { processIo }] = await Promise.all([import('./run.ts'), import('./process-io.ts')])
  process.exitCode = await run(argv, processIo())
}
